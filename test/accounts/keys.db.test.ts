import { beforeAll, describe, expect, it } from 'vitest'
import { authenticate } from '../../src/accounts/credentials.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { callbackSecretOf } from '../../src/webhooks/callbacks.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()
const options = { quota: { limit: 100, windowSeconds: 60 }, approvedClientIds: [] }
let accountId: string

beforeAll(async () => {
  accountId = await createAccount(db, 'keys')
})

describe('an API key', () => {
  it('identifies its account', async () => {
    const { keyId, token } = await createKey(db, { accountId, name: 'one' })
    const found = await authenticate(db, token, options)
    const callbackSecret = expect.any(Function)
    const credential = { keyId, accountId, scope: 'all', lastUsedAt: null, expiresAt: null, callbackSecret }
    expect(found).toEqual({ credential, use: { fits: true, left: 99, resetSeconds: 60 } })
    expect(found?.credential.callbackSecret?.()).toBe(callbackSecretOf(token))
  })

  it('is one of a thousand that keys make in a day, beside those of the owner', async () => {
    const account = await createAccount(db, 'many keys')
    const one = { accountId: account, name: 'one' }
    const { keyId: makerId } = await createKey(db, one)
    await createKey(db, { ...one, makerId })
    await db.quotaWindow.updateMany({ where: { subject: { endsWith: `by keys ${account}` } }, data: { used: 1_000n } })
    await expect(createKey(db, { ...one, makerId })).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/^This account has made 1000 API keys in a day/),
      retryAfterSeconds: expect.any(Number),
    })
    expect((await createKey(db, one)).key.name).toBe('one')
    expect((await createKey(db, { ...one, makerId, kind: 'dir' })).key.name).toBe('one')
  })

  it('is stored only as a hash', async () => {
    const { keyId, token } = await createKey(db, { accountId, name: 'hashed' })
    const row = await db.apiKey.findUniqueOrThrow({ where: { id: keyId } })
    const secret = token.split('_').at(-1) ?? ''
    expect(Buffer.from(row.secretHash).toString('latin1')).not.toContain(secret)
    expect(row.lastFour).toBe(secret.slice(-4))
  })

  it('is refused with another secret, cut short, or with another id', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => createKey(db, { accountId, name: 'mixed' })))
    const [head = '', secret = ''] = [one?.token.slice(0, -43), two?.token.slice(-43)]
    for (const token of [head + secret, one?.token.slice(0, -1) ?? '', '', 'mt_live_', `mt_con_${head}`]) {
      expect(await authenticate(db, token, options)).toBeUndefined()
    }
  })

  it.each(['revokedAt', 'expiresAt'])('is refused by the next call after its %s', async (field) => {
    const { keyId, token } = await createKey(db, { accountId, name: field })
    await db.apiKey.update({ where: { id: keyId }, data: { [field]: new Date() } })
    expect(await authenticate(db, token, options)).toBeUndefined()
  })
})
