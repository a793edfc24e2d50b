import { mkdtemp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBrand } from '../../../activities/source.ts'
import { maxBrands } from '../../../src/brands/brands.ts'
import { maxFontBytes } from '../../../src/core/font-file.ts'
import { findExpiredUploads } from '../../../src/uploads/uploads.ts'
import { blockFont } from '../../fixtures/block-font.ts'
import { portrait } from '../../fixtures/make.ts'
import { required } from '../../setup/required.ts'
import { type Api, codeOf, mediaUrl, startApi, type TestAccount } from '../api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const idOf = (url: string) => url.split('/').at(-1) ?? ''
const upload = async (account: TestAccount, name: string, bytes: Buffer) => idOf(await account.upload(name, bytes))
const fontOf = (account: TestAccount) => upload(account, 'Blocks.ttf', blockFont())
const logoOf = async (account: TestAccount) => upload(account, 'logo.webp', await readFile(portrait))
const remove = (account: TestAccount, url: string) => api.call({ method: 'DELETE', url }, account.token)

async function create(account: TestAccount, more: object = {}): Promise<string> {
  const { status, body, text } = await account.post('/v1/brands', { name: 'Talks', ...more })
  expect(status, text).toBe(201)
  return String(body.brand.id)
}

const yearMs = 365 * 24 * 3_600_000
const keptYears = async (id: string) => {
  const { expiresAt } = await api.db.upload.findUniqueOrThrow({ where: { id } })
  return Math.round((expiresAt.getTime() - Date.now()) / yearMs)
}

/** Every read of the storage goes through `replaced`, which gets the real one. */
function replaceReads(replaced: (read: Read, ...request: Parameters<Read>) => ReturnType<Read>): void {
  const read: Read = api.storage.read.bind(api.storage)
  const spy = vi.spyOn(api.storage, 'read').mockImplementation((...request) => replaced(read, ...request))
  onTestFinished(() => spy.mockRestore())
}
type Read = Api['storage']['read']

describe('a brand', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const account = await api.newAccount()
    const [font, logo] = [await fontOf(account), await logoOf(account)]
    const wanted = { font_upload_id: font, logo_upload_id: logo, colour: '#112233', margins: { bottom: 0.2 } }
    const id = await create(account, wanted)
    const expected = {
      ...{ id, name: 'Talks', ...wanted, logo_position: 'top_right', logo_width: 0.12 },
      ...{ margins: { top: 0.05, bottom: 0.2, left: 0.05, right: 0.05 }, created_at: expect.any(String) },
    }
    expect((await account.get(`/v1/brands/${id}`)).body.brand).toEqual(expected)
    const second = await create(account, { name: 'Second' })
    const { body } = await account.get('/v1/brands')
    expect(body.brands.map((brand: { id: string }) => brand.id)).toEqual([second, id])

    const change = { name: 'Shorts', logo_upload_id: null, colour: null, margins: null, logo_position: 'bottom_left' }
    const changed = await account.patch(`/v1/brands/${id}`, change)
    const { logo_upload_id: _logo, colour: _colour, margins: _margins, ...rest } = expected
    expect(changed.body.brand).toEqual({ ...rest, name: 'Shorts', logo_position: 'bottom_left' })

    expect((await remove(account, `/v1/brands/${id}`)).body).toMatchObject({ id, status: 'deleted' })
    expect(codeOf(await account.get(`/v1/brands/${id}`))).toBe('not_found')
    expect(codeOf(await remove(account, `/v1/brands/${id}`))).toBe('not_found')
  })

  it('keeps its uploads from expiring, until the last brand lets them go', async () => {
    const account = await api.newAccount()
    const font = await fontOf(account)
    const brands = [await create(account, { font_upload_id: font }), await create(account, { font_upload_id: font })]
    expect(await keptYears(font)).toBe(100)
    const inAYear = new Date(Date.now() + yearMs)
    const expired = async () => (await findExpiredUploads(api.db, inAYear, { limit: 1_000 })).map(({ id }) => id)
    expect(await expired()).not.toContain(font)
    await account.patch(`/v1/brands/${brands[0]}`, { font_upload_id: null })
    expect(await keptYears(font)).toBe(100)
    await remove(account, `/v1/brands/${brands[1]}`)
    expect(await keptYears(font)).toBe(0)
    expect(await expired()).toContain(font)
  })

  it('takes only fonts and pictures of its account, whose bytes are those of fonts and pictures', async () => {
    const [account, other] = [await api.newAccount(), await api.newAccount()]
    const refusal = async (fields: object) => {
      const { status, body } = await account.post('/v1/brands', { name: 'x', ...fields })
      return `${status} ${body.error.code}: ${body.error.message}`
    }
    expect(await refusal({ font_upload_id: await fontOf(other) })).toMatch(
      /^404 not_found: font_upload_id: this account/,
    )
    expect(await refusal({ logo_upload_id: await logoOf(other) })).toMatch(
      /^404 not_found: logo_upload_id: this account/,
    )
    const woff = await upload(account, 'a.ttf', Buffer.from('wOF2'))
    expect(await refusal({ font_upload_id: woff })).toMatch(/^400 invalid_request: font_upload_id: .*WOFF2/)
    const cut = await upload(account, 'a.otf', blockFont().subarray(0, 300))
    expect(await refusal({ font_upload_id: cut })).toMatch(/^400 invalid_request: font_upload_id: the font is cut/)
    const large = await upload(account, 'a.ttf', Buffer.alloc(maxFontBytes + 1))
    expect(await refusal({ font_upload_id: large })).toMatch(/^400 invalid_request: font_upload_id: The font has/)
    const text = await upload(account, 'a.png', Buffer.from('<svg/>'))
    expect(await refusal({ logo_upload_id: text })).toMatch(/^400 .*neither PNG, JPEG nor WebP/)
    const film = await upload(account, 'a.mp4', Buffer.from('film'))
    expect(await refusal({ logo_upload_id: film })).toMatch(/^400 .*was uploaded as video\/mp4/)
    expect(await refusal({ margins: { top: 0.9 } })).toMatch(/^400 invalid_request/)
    expect(await refusal({ colour: 'red' })).toMatch(/expected a colour/)
    expect((await account.get('/v1/brands')).body.brands).toEqual([])
    expect(await keptYears(woff)).toBe(0)
  })

  it.each([
    [{ color: '#ffffff' }, /unknown field "color"\. Did you mean colour\?$/],
    [{ font: 'upl_a' }, /unknown field "font"\. Did you mean font_upload_id\?$/],
    [{ margins: { botom: 0.1 } }, /margins: unknown field "botom"\. Did you mean bottom\?$/],
  ])('%j is refused, with the name that was meant', async (fields, message) => {
    const account = await api.newAccount()
    const id = await create(account)
    for (const answer of [
      await account.post('/v1/brands', { name: 'x', ...fields }),
      await account.patch(`/v1/brands/${id}`, fields),
    ]) {
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
      expect(answer.body.error.message).toMatch(message)
    }
  })

  it('is refused with 404, where its upload is deleted while it is read', async () => {
    const account = await api.newAccount()
    const files = { font_upload_id: await fontOf(account), logo_upload_id: await logoOf(account) }
    replaceReads(async (read, key, options) => {
      await api.storage.delete(key)
      return read(key, options)
    })
    for (const [field, id] of Object.entries(files)) {
      const { status, body } = await account.post('/v1/brands', { name: 'x', [field]: id })
      expect([status, body.error.message]).toEqual([404, expect.stringMatching(`^${field}: this account has no such`)])
    }
  })

  it('has its font read after those of other requests of the account', async () => {
    const account = await api.newAccount()
    const font = await fontOf(account)
    let [open, most] = [0, 0]
    replaceReads(async (read, ...request) => {
      open += 1
      most = Math.max(most, open)
      const file = await read(...request)
      return file.once('end', () => {
        open -= 1
      })
    })
    const ids = await Promise.all(Array.from({ length: 5 }, () => create(account, { font_upload_id: font })))
    expect([new Set(ids).size, most, open]).toEqual([5, 1, 0])
  })

  it('has uploads that no directive takes', async () => {
    const account = await api.newAccount()
    const cap = { max_price_usd: 1, monthly_cap_usd: 1 }
    const work = { endpoint: 'audio/detect-silence', match: {}, ...cap }
    const { body } = await account.post('/v1/directives', work)
    await create(account, { font_upload_id: await fontOf(account), logo_upload_id: await logoOf(account) })
    const film = await account.upload('film.mp4')
    await account.create({ media_url: film })
    const taken = await account.get(`/v1/directives/${body.directive.id}/items`)
    expect(taken.body.items).toEqual([expect.objectContaining({ upload_id: idOf(film) })])
  })

  it('leaves an upload that was deleted to be forgotten as others are', async () => {
    const account = await api.newAccount()
    const font = await fontOf(account)
    const id = await create(account, { font_upload_id: font })
    await remove(account, `/v1/uploads/${font}`)
    const before = await api.db.upload.findUniqueOrThrow({ where: { id: font } })
    await remove(account, `/v1/brands/${id}`)
    const { expiresAt } = await api.db.upload.findUniqueOrThrow({ where: { id: font } })
    expect(expiresAt).toEqual(before.expiresAt)
  })

  it('is one of twenty at most', async () => {
    const account = await api.newAccount()
    for (let count = 0; count < maxBrands; count += 1) await create(account)
    expect(codeOf(await account.post('/v1/brands', { name: 'one more' }))).toBe('conflict')
  })
})

describe('a clip with a brand', () => {
  const clip = (account: TestAccount, brand: string) =>
    account.post('/v1/jobs', { endpoint: 'video/clip-window', media_url: mediaUrl, end: 1, settings: { brand } })

  it('is accepted for a brand of its account whose uploads are there', async () => {
    const [account, other] = [await api.newAccount(), await api.newAccount()]
    const font = await fontOf(account)
    const brand = await create(account, { font_upload_id: font })
    expect((await clip(account, brand)).status).toBe(202)
    const foreign = await clip(other, brand)
    expect([foreign.status, foreign.body.error.message]).toEqual([
      404,
      'settings.brand: this account has no brand with this id. Check the id.',
    ])
    const folder = await mkdtemp(path.join(required('TEST_FOLDER'), 'brand-'))
    const asked = { job: account, brandId: brand, folder, signal: new AbortController().signal }
    const opened = await openBrand(api, asked)
    expect(opened).toMatchObject({ font: { uploadId: font }, logo: null })
    await expect(openBrand(api, { ...asked, job: other })).rejects.toMatchObject({ code: 'not_found' })

    await remove(account, `/v1/uploads/${font}`)
    // A clip that is being made reads it until its end.
    expect(await readFile(opened.font?.path ?? '')).toEqual(blockFont())
    await expect(openBrand(api, asked)).rejects.toMatchObject({ code: 'not_found' })
    const gone = await clip(account, brand)
    expect([gone.status, gone.body.error.message]).toEqual([
      404,
      `settings.brand: the font of the brand, ${font}, was deleted. Give the brand another one, or null.`,
    ])
    await account.patch(`/v1/brands/${brand}`, { font_upload_id: null })
    expect((await clip(account, brand)).status).toBe(202)
  })

  it('fails, where the upload has other bytes than those that were checked', async () => {
    const account = await api.newAccount()
    const font = await fontOf(account)
    const brandId = await create(account, { font_upload_id: font })
    const { objectKey, contentType } = await api.db.upload.findUniqueOrThrow({ where: { id: font } })
    await api.storage.write(objectKey, Readable.from([]), contentType)
    const asked = { job: account, brandId, folder: '/nowhere', signal: new AbortController().signal }
    await expect(openBrand(api, asked)).rejects.toMatchObject({
      code: 'not_found',
      message: `The upload ${font} was deleted before the job read it.`,
    })
  })

  it('is refused by estimates and runs too', async () => {
    const account = await api.newAccount()
    const settings = { brand: 'brd_none' }
    const estimated = await account.post('/v1/estimate', {
      endpoint: 'video/clip-window',
      media_seconds: 60,
      end: 1,
      settings,
    })
    const planned = await account.post('/v1/workflows/remove-dead-space/runs', {
      ...{ media_seconds: 60, settings: { 'video/clip-window': settings } },
    })
    expect([codeOf(estimated), codeOf(planned)]).toEqual(['not_found', 'not_found'])
    expect(planned.body.error.message).toMatch(/^settings\["video\/clip-window"\]\.brand: /)
  })
})
