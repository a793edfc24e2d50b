import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { announce } from '../../../src/db/announcements.ts'
import { endpoints, exampleOf } from '../../../src/endpoints/catalog.ts'
import { deleteOldProbes, recordOutcome } from '../../../src/jobs/probes.ts'
import { holdEstimate, settleJob } from '../../../src/jobs/settle-job.ts'
import { acceptClip, clipPrice, draftClip } from '../../billing/jobs.ts'
import { codeOf, mediaUrl, type TestAccount, useApi } from '../api.ts'
import { recordingOf } from './media-info.ts'

const info = recordingOf(73.349)

let account: TestAccount
const api = await useApi({ PROBES_PER_ACCOUNT: '3', OPEN_WAITS_PER_ACCOUNT: '4' })
beforeEach(async () => {
  account = await api.newAccount()
})

const silence = (fields: object) => ({ endpoint: 'audio/detect-silence', ...fields })
const ask = (payload: object) => api.call({ method: 'POST', url: '/v1/estimate', payload })

/** Waits for the probe of the account's estimate. */
async function untilProbing(): Promise<string> {
  const { accountId } = account
  await expect
    .poll(async () => api.waits.has((await api.db.probe.findFirst({ where: { accountId } }))?.id ?? ''))
    .toBe(true)
  return (await api.db.probe.findFirstOrThrow({ where: { accountId } })).id
}

describe('without a key', () => {
  it('200 by media_seconds, with the parts of the price', async () => {
    expect(await ask(silence({ media_seconds: 90, settings: { colour: 1 } }))).toMatchObject({
      status: 200,
      body: {
        endpoint: 'audio/detect-silence',
        estimated_price_usd: 0.003,
        billable_seconds: 90,
        media_seconds: 90,
        price: { usd: 0.002, unit: 'media_minute' },
        assumptions: [expect.stringContaining('media_seconds'), expect.stringContaining('costs less')],
        warnings: [expect.stringContaining('colour')],
      },
    })
  })

  it('200 if the window determines the length', async () => {
    const { status, body } = await ask(silence({ start: 10, end: 40, media_url: mediaUrl }))
    expect([status, body.billable_seconds, body.media_seconds]).toEqual([200, 30, undefined])
  })

  it('200 with the longest clip that snapping can make', async () => {
    const clip = { endpoint: 'video/clip-near', start: 30, settings: { before_seconds: 4, after_seconds: 6 } }
    const { body } = await ask(clip)
    expect([body.billable_seconds, body.assumptions[1]]).toEqual([
      14,
      expect.stringContaining('14 seconds long in all'),
    ])
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, exampleOf(endpoint)]))(
    '200 for the example of %s',
    async (_id, body) => {
      expect((await ask({ ...body, media_seconds: 600 })).status).toBe(200)
    },
  )

  it.each([
    [silence({ media_url: mediaUrl }), 401, 'missing_api_key', /needs an API key.*media_seconds/],
    [silence({}), 400, 'invalid_request', /Send media_seconds/],
    [silence({ media_seconds: -1 }), 400, 'invalid_request', /media_seconds/],
    [silence({ media_url: ' ', media_seconds: 60 }), 400, 'invalid_request', /media_url is blank/],
    [silence({ media_seconds: 5, start: 6 }), 400, 'invalid_request', /past the end/],
  ])('refuses %j', async (body, status, code, message) => {
    const answer = await ask(body)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
    expect(answer.body.error.message).toMatch(message)
    expect(await api.db.probe.count({ where: { mediaUrl: { contains: 'media.example/interview' } } })).toBe(0)
  })
})

describe('with a key', () => {
  it("200 with the worker's finding, as soon as it is announced", async () => {
    const answer = account.post('/v1/estimate', silence({ media_url: mediaUrl }))
    await recordOutcome(api.db, await untilProbing(), { info })
    expect(await answer).toMatchObject({
      status: 200,
      body: { media_seconds: 73.349, billable_seconds: 73.349, estimated_price_usd: 0.002445 },
    })
    expect(await api.db.ledgerEntry.count({ where: { accountId: account.accountId, kind: 'hold' } })).toBe(0)
  })

  it('fails like a job on the media', async () => {
    const unreachable = account.post('/v1/estimate', silence({ media_url: mediaUrl }))
    const failure = { code: 'media_unreachable' as const, message: 'Not there.' }
    await recordOutcome(api.db, await untilProbing(), { failure })
    expect([(await unreachable).status, codeOf(await unreachable)]).toEqual([422, 'media_unreachable'])

    account = await api.newAccount()
    const silent = account.post('/v1/estimate', silence({ media_url: mediaUrl }))
    await recordOutcome(api.db, await untilProbing(), { info: { ...info, audio: [] } })
    expect(codeOf(await silent)).toBe('no_audio_track')

    account = await api.newAccount()
    const vertical = { endpoint: 'video/clip-window', start: 0, settings: { aspect: '9:16' }, media_url: mediaUrl }
    const sound = account.post('/v1/estimate', vertical)
    await recordOutcome(api.db, await untilProbing(), { info: { ...info, video: null } })
    expect((await sound).body).toMatchObject({
      error: { code: 'no_video_track', message: expect.stringMatching(/settings\.aspect needs one/) },
    })
  })

  it.each([
    [
      '503 with Retry-After for an upload, which only load delays',
      503,
      'service_unavailable',
      '10',
      /Try again.*media_seconds\.$/,
    ],
    ['422 for another URL', 422, 'timed_out', undefined, /Send media_seconds, or upload the file\.$/],
  ])('%s, if reading has no outcome in time', async (what, status, code, retryAfter, message) => {
    const media_url = what.includes('upload') ? await account.upload('talk.mp3') : mediaUrl
    const answer = account.post('/v1/estimate', silence({ media_url }))
    const id = await untilProbing()
    await api.db.probe.delete({ where: { id } })
    await api.db.$transaction((tx) => announce(tx, id))
    const { headers, body } = await answer
    expect([(await answer).status, codeOf(await answer), headers['retry-after']]).toEqual([status, code, retryAfter])
    expect(body.error.message).toMatch(message)
  })

  it('reads no media with media_seconds', async () => {
    const answer = await account.post('/v1/estimate', silence({ media_url: mediaUrl, media_seconds: 5 }))
    expect(answer).toMatchObject({ status: 200, body: { billable_seconds: 5 } })
    expect(await api.db.probe.count({ where: { accountId: account.accountId } })).toBe(0)
  })

  it('429 rate_limited above the probes of a minute, and 404 for media of no account', async () => {
    const gone = () => account.post('/v1/estimate', silence({ media_url: `${api.config.BASE_URL}/v1/media/upl_x` }))
    expect(codeOf(await gone())).toBe('not_found')
    const open = Array.from({ length: 3 }, () => account.post('/v1/estimate', silence({ media_url: mediaUrl })))
    const probes = () => api.db.probe.findMany({ where: { accountId: account.accountId } })
    await expect.poll(async () => (await probes()).length).toBe(3)
    const answer = await account.post('/v1/estimate', silence({ media_url: mediaUrl }))
    expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited'])
    expect(answer.body.error.message).toMatch(/3 times a minute/)
    for (const { id } of await probes()) await recordOutcome(api.db, id, { info })
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('401 for a wrong key and 403 for one of another group', async () => {
    const headers = { authorization: 'Bearer mt_live_wrong' }
    const wrong = await api.call({
      method: 'POST',
      url: '/v1/estimate',
      payload: silence({ media_seconds: 5 }),
      headers,
    })
    expect(codeOf(wrong)).toBe('invalid_api_key')
    await api.db.apiKey.update({ where: { id: account.keyId }, data: { scope: 'video/*' } })
    const narrow = await account.post('/v1/estimate', silence({ media_seconds: 5 }))
    expect([narrow.status, codeOf(narrow)]).toEqual([403, 'connector_scope_denied'])
  })
})

it('probes of other accounts are not found, and all are deleted after a day', async () => {
  const { accountId } = account
  const probe = { accountId, mediaUrl, createdAt: new Date(Date.now() - 25 * 3_600_000) }
  await api.db.probe.create({ data: { id: 'prb_old', ...probe } })
  await api.db.probe.create({ data: { id: 'prb_new', accountId, mediaUrl } })
  expect(await deleteOldProbes(api.db, 9)).toBe(1)
  expect((await api.db.probe.findMany({ where: { accountId } })).map(({ id }) => id)).toEqual(['prb_new'])
})

it('every job has its estimate before the work and its final price after it, never above the hold', async () => {
  const lengths = fc.record({
    isKnown: fc.boolean(),
    seconds: fc.integer({ min: 1, max: 300 }),
    made: fc.integer({ min: 0, max: 400_000 }),
  })
  await fc.assert(
    fc.asyncProperty(lengths, async ({ isKnown, seconds, made }) => {
      const { accountId } = account
      const { job } = await acceptClip(api.db, accountId, { seconds: isKnown ? seconds : null })
      await holdEstimate(api.db, job.id, () => clipPrice(seconds))
      const before = (await account.get(`/v1/jobs/${job.id}`)).body.job
      expect([before.estimated_price_usd, before.final_price_usd]).toEqual([expect.any(Number), undefined])
      await draftClip(api.db, job.id, made)
      await settleJob(api.db, job.id)
      const after = (await account.get(`/v1/jobs/${job.id}`)).body.job
      expect(after.estimated_price_usd).toBe(before.estimated_price_usd)
      expect(after.final_price_usd).toBeLessThanOrEqual(after.estimated_price_usd)
      const exact = (milliseconds: number) => Math.ceil(milliseconds / 6) / 1e6
      expect(after.final_price_usd).toBe(Math.min(exact(made), exact(seconds * 1000)))
    }),
    { numRuns: 20 },
  )
})
