import { createHash } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { authenticate } from '../../src/accounts/credentials.ts'
import { makeKey } from '../../src/accounts/make-key.ts'
import { exchangeRefreshToken, grantCode, redeemCode } from '../../src/accounts/oauth-tokens.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { migrate, prismaFolder, readMigrations } from '../../src/db/migrate.ts'
import { createTestDatabase, openTestDatabase } from '../setup/database.ts'
import { ownersOn } from './owners.ts'

const db = await openTestDatabase()
const clientId = 'desk-agent'
const refused = { oauthCode: 'invalid_grant' }

/** An account with a connector that a client got. */
async function connected() {
  const { open, remove } = ownersOn(db)
  const accountId = await open(`${randomText(12).toLowerCase()}@example.com`)
  const { ownerId } = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  const session = { id: newId('ses'), token: randomText(24), userId: ownerId ?? '', expiresAt: inAnHour() }
  await db.session.create({ data: session })
  const verifier = randomText(64)
  const approval = {
    ...{
      accountId,
      clientId,
      name: 'Desk',
      scope: 'video/*',
      monthlyCapMicroUsd: null,
      redirectUri: 'http://127.0.0.1/cb',
    },
    challenge: createHash('sha256').update(verifier).digest('base64url'),
  }
  const code = await grantCode(db, approval, session.id)
  const { refreshToken = '' } = await redeemCode(db, { clientId, code, redirectUri: approval.redirectUri, verifier })
  const { id: connectorId } = await db.apiKey.findFirstOrThrow({ where: { accountId } })
  return { accountId, connectorId, refreshToken, remove: () => remove(accountId) }
}

const inAnHour = () => new Date(Date.now() + 3_600_000)
const inTwoHours = () => new Date(Date.now() + 7_200_000)

it('no token stays of an exchange that the deletion of its account waits for', async () => {
  const { connectorId, refreshToken, remove } = await connected()
  const both = await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM api_keys WHERE id = ${connectorId} FOR UPDATE`
    const exchange = exchangeRefreshToken(db, { clientId, refreshToken })
    await expect.poll(() => waitingFor('UPDATE api_keys')).toBe(true)
    const removal = remove()
    await expect.poll(() => waitingFor('FROM accounts WHERE id')).toBe(true)
    return { exchange, removal }
  })
  const { refreshToken: next = '' } = await both.exchange
  await both.removal
  expect(await db.oAuthToken.count({ where: { connectorId } })).toBe(0)
  await expect(exchangeRefreshToken(db, { clientId, refreshToken: next })).rejects.toMatchObject(refused)
})

it('a refresh moves the end of the keys that end with the connector, and of no other', async () => {
  const { accountId, connectorId: makerId, refreshToken } = await connected()
  const make = async (name: string, maker: string, expiresAt?: Date) =>
    (await makeKey(db, { accountId, name, makerId: maker, expiresAt })).keyId
  const own = await make('own', makerId)
  const ids = [makerId, own, await make('below', own), await make('bounded', makerId, inAnHour())]
  await db.apiKey.updateMany({ where: { expiresAt: { gt: inTwoHours() } }, data: { expiresAt: inTwoHours() } })
  await exchangeRefreshToken(db, { clientId, refreshToken })
  const ends = ids.map(async (id) => (await db.apiKey.findUniqueOrThrow({ where: { id } })).expiresAt ?? 0)
  expect((await Promise.all(ends)).map((end) => end > inTwoHours())).toEqual([true, true, true, false])
})

it('a refresh token that an earlier release issued is exchanged, and recognized when it is used again', async () => {
  const old = await databaseBefore('20261127234500_refresh_families')
  const [unused, used] = [randomText(43), randomText(43)]
  await connectAsBefore(old, { unused, used })
  await migrate(old.url)
  const exchange = (refreshToken: string) => exchangeRefreshToken(old.db, { clientId, refreshToken })
  await expect(exchange(`mt_ref_${used}`)).rejects.toMatchObject(refused)
  const { refreshToken = '' } = await exchange(`mt_ref_${unused}`)
  const { refreshToken: last = '' } = await exchange(refreshToken)
  await expect(exchange(`mt_ref_${unused}`)).rejects.toMatchObject(refused)
  await expect(exchange(last)).rejects.toMatchObject(refused)
  expect(await old.db.apiKey.findFirst()).toMatchObject({ revokedAt: expect.any(Date) })
})

it('a refresh token that a process of the release before wrote is no access token', async () => {
  const { connectorId } = await connected()
  const secret = randomText(43)
  const hash = createHash('sha256').update(secret).digest()
  await db.$executeRaw`
    INSERT INTO oauth_tokens (hash, kind, connector_id, expires_at) VALUES (${hash}, 'refresh', ${connectorId}, ${inAnHour()})`
  const options = { quota: { limit: 100, windowSeconds: 60 }, approvedClientIds: [clientId] }
  const authenticated = () => authenticate(db, `mt_con_${connectorId.slice('con_'.length)}_${secret}`, options)
  expect(await authenticated()).toBeUndefined()
  await db.$executeRaw`UPDATE oauth_tokens SET kind = 'access' WHERE hash = ${hash}`
  expect(await authenticated()).toMatchObject({ credential: { keyId: connectorId } })
})

/** A database with the migrations before one. */
async function databaseBefore(migration: string) {
  const { url, drop } = await createTestDatabase('template0')
  const folder = await mkdtemp(path.join(tmpdir(), 'migrations '))
  await cp(path.join(prismaFolder(), 'migrations'), folder, { recursive: true })
  for (const { name } of readMigrations(folder)) {
    if (name >= migration) await rm(path.join(folder, name), { recursive: true })
  }
  await migrate(url, folder)
  const opened = openDatabase(url)
  onTestFinished(async () => {
    await opened.$disconnect()
    await drop()
    await rm(folder, { recursive: true })
  })
  return { url, db: opened }
}

/** A connector of a client, as before the migration: a row for each token, also for one that was used. */
async function connectAsBefore(
  { db: before }: { readonly db: Database },
  { unused, used }: { readonly unused: string; readonly used: string },
): Promise<void> {
  const hashOf = (secret: string) => createHash('sha256').update(secret).digest()
  await before.$executeRaw`INSERT INTO accounts (id, name) VALUES ('acct_1', 'Ada')`
  await before.$executeRaw`
    INSERT INTO api_keys (id, account_id, name, scope, secret_hash, last_four, expires_at)
    VALUES ('con_1', 'acct_1', 'Desk', 'video/*', '', '', ${inAnHour()})`
  await before.$executeRaw`
    INSERT INTO oauth_grants (id, account_id, client_id, name, scope, redirect_uri, challenge, code_hash, code_expires_at, connector_id)
    VALUES ('grt_1', 'acct_1', ${clientId}, 'Desk', 'video/*', '', '', '', now(), 'con_1')`
  await before.$executeRaw`
    INSERT INTO oauth_tokens (hash, kind, connector_id, expires_at, used_at)
    VALUES (${hashOf(used)}, 'refresh', 'con_1', ${inAnHour()}, now()), (${hashOf(unused)}, 'refresh', 'con_1', ${inAnHour()}, NULL)`
}

async function waitingFor(text: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND strpos(query, ${text}) > 0 AND pid <> pg_backend_pid() AND datname = current_database()`
  return rows.length > 0
}
