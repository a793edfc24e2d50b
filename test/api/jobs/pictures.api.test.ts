import { describe, expect, it } from 'vitest'
import { maxPictureBytes } from '../../../src/core/media.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { type Api, codeOf, useApi } from '../api.ts'

const api = await useApi()

type Account = Awaited<ReturnType<Api['newAccount']>>

const idOf = (mediaUrl: string) => mediaUrl.split('/').at(-1) ?? ''

/** The id of a received upload. */
const upload = async (account: Account, filename = 'thumbnail.jpg', bytes = 1) =>
  idOf(await account.upload(filename, '.'.repeat(bytes)))

const endpoint = 'video/thumbnail-score'
const score = (account: Account, upload_ids: readonly string[], more: object = {}) =>
  account.post('/v1/jobs', { endpoint, settings: { upload_ids }, ...more })

describe('a job on uploaded pictures', () => {
  it.each(['a.jpg', 'a.JPEG', 'a.webp'])(
    'takes %s, in place of media, at the price of a second each',
    async (filename) => {
      const account = await api.newAccount()
      const ids = [await upload(account, filename), await upload(account, filename)]
      const { status, body } = await score(account, ids)
      expect([status, body.job.estimated_price_usd]).toEqual([202, 0.002])
      expect(body.job).not.toHaveProperty('media')
      const estimate = await account.post('/v1/estimate', { endpoint, settings: { upload_ids: ids } })
      expect(estimate.body).toMatchObject({ estimated_price_usd: 0.002, billable_seconds: 2 })
    },
  )

  it('counts the bytes of an upload that a client sent to the storage itself', async () => {
    const account = await api.newAccount()
    const id = await upload(account, 'a.jpg', 7)
    const stored = async () => (await api.db.upload.findUniqueOrThrow({ where: { id } })).bytes
    await api.db.upload.update({ where: { id }, data: { bytes: null } })
    expect((await score(account, [id])).status).toBe(202)
    expect(await stored()).toBe(7n)
  })

  it('is refused for uploads that are not pictures of the account', async () => {
    const [account, other] = [await api.newAccount(), await api.newAccount()]
    const good = await upload(account)
    const refusal = async (id: string, more: object = {}) => {
      const { status, body } = await score(account, [good, id], more)
      return [status, body.error.code, body.error.message]
    }
    const field = (text: string) => expect.stringContaining(`settings.upload_ids[1]: ${text}`)
    expect(await refusal(await upload(other))).toEqual([404, 'not_found', field('this account has no such upload')])
    expect(await refusal('upl_nothing')).toEqual([404, 'not_found', field('this account has no such upload')])
    const waiting = String((await account.post('/v1/uploads/presign', { filename: 'a.webp' })).body.upload.id)
    expect(await refusal(waiting)).toEqual([409, 'conflict', field(`${waiting} has no bytes yet`)])
    const film = await upload(account, 'film.mp4')
    expect(await refusal(film)).toEqual([400, 'invalid_request', field(`${film} was uploaded as video/mp4`)])
    const large = await upload(account, 'large.jpg', maxPictureBytes + 1)
    expect(await refusal(large)).toEqual([400, 'invalid_request', field('The picture has')])
    const both = await refusal(good, { media_url: 'https://media.example/interview.mp4' })
    expect(both).toEqual([400, 'invalid_request', expect.stringContaining('Send only one of them')])
    const mixed = await account.post('/v1/jobs', { endpoint, settings: { upload_ids: [good], times: [1] } })
    expect(codeOf(mixed)).toBe('invalid_request')
    const neither = await account.post('/v1/jobs', { endpoint, settings: { times: [1] } })
    expect(neither.body.error.message).toContain('media_url is required')
  })

  it('keeps its pictures from being deleted while it is open', async () => {
    const account = await api.newAccount()
    const id = await upload(account)
    const { body } = await score(account, [id])
    const remove = () => api.call({ method: 'DELETE', url: `/v1/uploads/${id}` }, account.token)
    const refused = await remove()
    expect([refused.status, codeOf(refused), refused.body.error.job_id]).toEqual([409, 'conflict', body.job_id])
    await settleJob(api.db, String(body.job_id), { code: 'canceled', message: 'Canceled.' })
    expect((await remove()).status).toBe(200)
  })
})
