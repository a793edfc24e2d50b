import { expect, it } from 'vitest'
import { buildApp } from '../../../../api/app.ts'
import { randomText } from '../../../../src/core/ids.ts'
import { openStorage, storageSigner } from '../../../../src/storage/open-storage.ts'
import { type Api, useApi } from '../../api.ts'
import { linkIn, mailsTo, newEmail, openPage, signedIn } from './sign-in.ts'

const old = { keyId: '1', secret: 'the old secret of the tests, 32 characters' }
const next = { keyId: '2', secret: 'the next secret of the tests, 32 characters' }
type Key = typeof old

const api = await useApi({
  SIGNING_KEY_ID: old.keyId,
  SIGNING_SECRET: old.secret,
  SIGN_IN_TRIES_PER_ADDRESS: '1000000',
})

/** Another API process on the same data, in one state of a rotation. */
async function inState(signs: Key, other?: Key): Promise<Api & { readonly stop: () => Promise<void> }> {
  const config = {
    ...api.config,
    SIGNING_KEY_ID: signs.keyId,
    SIGNING_SECRET: signs.secret,
    OTHER_SIGNING_SECRET: other,
  }
  const [signer, storage] = [storageSigner(config), await openStorage(config)]
  const app = await buildApp({ ...api, config, signer, storage })
  const call: Api['call'] = async (options) => {
    const { statusCode: status, headers, body: text } = await app.inject(options)
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
  }
  return { ...api, config, signer, storage, app, call, stop: () => app.close() }
}

it('a secret is replaced process by process without a URL, a session or a mailed link that fails', async () => {
  const states = await Promise.all([inState(old), inState(old, next), inState(next, old)])
  // Processes of one step run beside those of the step before.
  for (const [one, two] of [
    [states[0], states[1]],
    [states[1], states[2]],
  ]) {
    if (!one || !two) throw new Error('two states')
    for (const [from, to] of [
      [one, two],
      [two, one],
    ] as const) {
      const { url } = await from.storage.presignPut({
        key: `uploads/${randomText(12)}/media.mp4`,
        contentType: 'video/mp4',
        maxBytes: 10,
        expiresInSeconds: 60,
      })
      const { pathname, searchParams } = new URL(url)
      expect(to.signer?.verify('PUT', pathname, searchParams).status).toBe('valid')

      const email = newEmail()
      await openPage(from).signUp(email)
      const { token } = linkIn((await mailsTo(api, email))[0])
      expect((await openPage(to).verify(token)).status).toBe(200)
      const page = await signedIn(from)
      const elsewhere = openPage(to)
      elsewhere.setCookie(page.cookie() ?? '')
      expect((await elsewhere.get('/v1/account/notices')).status).toBe(200)
      expect((await elsewhere.post('/api/auth/sign-out')).status).toBe(200)
      expect((await page.get('/v1/account/notices')).status).toBe(401)
    }
  }
  await Promise.all(states.map(({ stop }) => stop()))
})

it('a secret that is no longer set is worth nothing', async () => {
  const [before, after] = [await inState(old), await inState(next)]
  const page = await signedIn(before)
  const elsewhere = openPage(after)
  elsewhere.setCookie(page.cookie() ?? '')
  expect((await elsewhere.get('/v1/account/notices')).status).toBe(401)
  await Promise.all([before.stop(), after.stop()])
})
