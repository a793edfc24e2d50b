import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createKey, publicPart } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { recordSigningSecret } from '../../src/accounts/signing-check.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { newId } from '../../src/core/ids.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { leaveCredits } from '../billing/accounts.ts'
import { acceptClip, answerClip } from '../billing/jobs.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { serviceCommand } from '../setup/service-command.ts'

let database: TestDatabase
let db: Database
let ownerId: string
let accountId: string
let keyId: string
let jobId: string

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url)
  ownerId = newId('usr')
  await db.user.create({ data: { id: ownerId, name: 'Ada', email: 'ada@example.com' } })
  accountId = await createAccount(db, 'Ada’s')
  await db.account.update({ where: { id: accountId }, data: { ownerId } })
  keyId = (await createKey(db, { accountId, name: 'server' })).keyId
  jobId = (await acceptClip(db, accountId, { seconds: 60 })).job.id
  await createAccount(db, 'another')
})
afterAll(async () => {
  await db.$disconnect()
  await database.drop()
})

const accounts = (...args: readonly string[]) => run('src/commands/accounts.ts', ...args)
const run = (script: string, ...args: readonly string[]) => runWith({}, script, ...args)

async function runWith(variables: Readonly<Record<string, string>>, script: string, ...args: readonly string[]) {
  const [node, ...command] = serviceCommand(script)
  const child = spawn(node, [...command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // No Temporal answers there: no stack that runs on this machine may be changed.
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url, TEMPORAL_ADDRESS: '127.0.0.1:1', ...variables },
  })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output, errors }
}

const object = z.record(z.string(), z.unknown())
async function changed(...args: readonly string[]) {
  const { code, output, errors } = await accounts(...args)
  expect([code, errors]).toEqual([0, ''])
  return object.parse(JSON.parse(output))
}

it('erase-account.js without --yes says what it would delete, and changes nothing', async () => {
  const before = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  const { code, output, errors } = await run('src/commands/erase-account.ts', 'ada@example.com')
  expect([code, output]).toEqual([1, ''])
  expect(errors).toBe(
    `${accountId}, of ada@example.com: 1 job, of which 1 open; 0 runs; 0 uploads with 0 bytes; 0 outputs with 0 bytes; 4.99 USD of credits left
Nothing was changed. To delete all of it, add --yes.\n`,
  )
  expect(await db.account.findUniqueOrThrow({ where: { id: accountId } })).toEqual(before)
})

it('erase-account.js says of an erased account that it is, with --yes and without', async () => {
  const erasedId = await createAccount(db, 'erased')
  const at = new Date('2026-01-02T03:04:05Z')
  await db.account.update({ where: { id: erasedId }, data: { deletedAt: at, erasedAt: at } })
  for (const flags of [[], ['--yes']])
    expect(await run('src/commands/erase-account.ts', erasedId, ...flags)).toEqual({
      ...{ code: 0, errors: '' },
      output: `${erasedId} is already deleted (2026-01-02T03:04:05.000Z) and erased\n`,
    })
})

it('show-job.js shows an open job, and of an ended one its error, or what credits and the bill paid', async () => {
  const shown = async (id: string) => {
    const { code, output, errors } = await run('src/commands/show-job.ts', id)
    expect([code, errors]).toEqual([0, ''])
    return object.parse(JSON.parse(output))
  }
  const unpaid = { error: null, paid_by_credits_usd: 0, billed_usd: 0, month: null, ended_at: null }
  expect(await shown(jobId)).toMatchObject({ job_id: jobId, account_id: accountId, status: 'queued', ...unpaid })
  const payer = await createAccount(db, 'payer')
  await leaveCredits(db, payer, 4_000n)
  await db.account.update({ where: { id: payer }, data: { billingStatus: 'active' } })
  const paid = (await acceptClip(db, payer, { seconds: 60 })).job.id
  const failed = (await acceptClip(db, payer, { seconds: 60 })).job.id
  await answerClip(db, paid, { actualSeconds: 60, madeSeconds: 60 })
  const error = { code: 'media_unreachable' as const, message: 'The host does not exist.' }
  await settleJob(db, failed, error)
  const ended = { ended_at: expect.any(String), deleted_at: null }
  const parts = { paid_by_credits_usd: 0.004, billed_usd: 0.006, month: expect.stringMatching(/^\d{4}-\d{2}$/) }
  expect(await shown(paid)).toMatchObject({ status: 'completed', error: null, ...parts, ...ended })
  expect(await shown(failed)).toMatchObject({ ...unpaid, status: 'failed', error, ...ended })
  expect(JSON.stringify([await shown(paid), await shown(failed)])).not.toMatch(/media\.example|settings/)
  expect(await run('src/commands/show-job.ts', 'job_none')).toEqual({
    ...{ code: 1, output: '', errors: 'no job has the id job_none\n' },
  })
})

describe('accounts.js', () => {
  it.each([
    ['a part of the address', () => 'ADA@exam'],
    ['a part of the address without its sign', () => 'example'],
    ['a part of its name', () => 'aDA’s'],
    ['its id', () => accountId],
    ['its owner', () => ownerId],
    ['a key', () => keyId],
    ['the start of a key', () => publicPart({ id: keyId })],
    ['a job', () => jobId],
  ])('finds an account by %s', async (_what, asked) => {
    const { code, output } = await accounts('find', asked())
    expect([code, JSON.parse(output)]).toMatchObject([
      0,
      [{ account_id: accountId, email: 'ada@example.com', suspended_at: null }],
    ])
  })

  it.each(['eve@example.com', '_da@example.com', '%@example.com', 'a_other'])('finds nothing for %j', async (asked) => {
    expect(await accounts('find', asked)).toEqual({ code: 0, output: '[]\n', errors: '' })
  })

  it('says that an account is deleted, and makes no key for it, nor grants it credits or suspends it', async () => {
    const id = await createAccount(db, '')
    await db.account.update({ where: { id }, data: { deletedAt: new Date() } })
    expect(await changed('show', id)).toMatchObject({ deleted_at: expect.any(String) })
    expect(JSON.parse((await accounts('find', id)).output)).toMatchObject([{ deleted_at: expect.any(String) }])
    const refused = { code: 1, output: '', errors: `${id} is deleted\n` }
    expect(await run('src/commands/new-key.ts', id, 'late')).toEqual(refused)
    expect(await accounts('grant', id, '5', '--reason', 'late')).toEqual(refused)
    const { code, errors } = await accounts('suspend', id, '--reason', 'late')
    expect([code, errors]).toEqual([1, `${id} is deleted: use suspend-mailbox, with the address of its owner\n`])
    const suspended = { suspended_at: expect.any(String), suspended_reason: null }
    expect(await changed('suspend-mailbox', id, 'eve@example.com')).toMatchObject({ ...suspended, same_mailboxes: [] })
    expect(await accounts('suspend-mailbox', id, 'eve')).toMatchObject({ errors: 'eve is not an email address\n' })
  })

  it('shows status, money and open jobs, and no secret', async () => {
    const shown = await changed('show', accountId)
    expect(shown).toMatchObject({ email: 'ada@example.com', billing_status: 'inactive', keys: 1, held_usd: 0.01 })
    expect(shown['jobs']).toEqual({ waiting: 0, queued: 1, running: 0 })
    expect(shown).toMatchObject({ stored_bytes: 0, max_stored_bytes: expect.any(Number) })
    expect(shown['credentials']).toEqual([
      {
        ...{ id: keyId, name: 'server', prefix: publicPart({ id: keyId }), scope: 'all', monthly_cap_usd: null },
        ...{ created_at: expect.any(String), last_used_at: null, expires_at: null },
      },
    ])
    expect(JSON.stringify(shown)).not.toMatch(/secret|hash|password/i)
  })

  it('lists the open jobs, also those that wait for a slot and are not in Temporal, and cancels these', async () => {
    const owner = await createAccount(db, 'waits')
    const admitted = (await acceptClip(db, owner, { seconds: 60 })).job.id
    const waiting = (await acceptClip(db, owner, { seconds: 60 })).job.id
    const ended = (await acceptClip(db, owner, { seconds: 60 })).job.id
    await db.job.update({ where: { id: waiting }, data: { admittedAt: null } })
    await settleJob(db, ended, { code: 'media_unreachable', message: 'The host does not exist.' })
    const { open_jobs } = await changed('jobs', owner)
    const common = { run_id: null, endpoint: 'video/clip-window', created_at: expect.any(String) }
    expect(open_jobs).toEqual([
      { job_id: admitted, status: 'queued', ...common },
      { job_id: waiting, status: 'waiting', ...common },
    ])
    expect(await changed('cancel-waiting', owner)).toMatchObject({ canceled_jobs: 1 })
    const canceled = await db.job.findMany({ where: { accountId: owner, cancelRequestedAt: { not: null } } })
    expect(canceled.map(({ id }) => id)).toEqual([waiting])
  })

  it('suspends with a reason, adds later ones, and resumes', async () => {
    const suspended = await changed('suspend', accountId, '--reason', 'a complaint')
    expect(suspended).toMatchObject({ suspended_at: expect.any(String), suspended_reason: 'a complaint' })
    const both = { suspended_at: suspended['suspended_at'], suspended_reason: 'a complaint; a chargeback' }
    expect(await changed('suspend', accountId, '--reason', 'a chargeback')).toMatchObject(both)
    expect(await changed('suspend', accountId, '--reason', 'a complaint')).toMatchObject(both)
    const refused = { code: 1, output: '', errors: `${accountId} is suspended: resume it first\n` }
    expect(await run('src/commands/new-key.ts', accountId, 'spare')).toEqual(refused)
    const { coveredMailboxes } = await db.account.findUniqueOrThrow({ where: { id: accountId } })
    expect(coveredMailboxes).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(await changed('resume', accountId)).toMatchObject({
      ended_suspensions: [{ account_id: accountId, ...both }],
      ...{ suspended_at: null, suspended_reason: null },
    })
  })

  it('hashes a mailbox with no other secret than the service’s, which a shell could lack', async () => {
    const [secret, other] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    await recordSigningSecret(db, { SIGNING_KEY_ID: '2', SIGNING_SECRET: secret })
    onTestFinished(async () => void (await db.signingCheck.deleteMany()))
    const deleted = await createAccount(db, '')
    await db.account.update({ where: { id: deleted }, data: { deletedAt: new Date() } })
    const commands = [
      ['src/commands/accounts.ts', 'suspend', accountId, '--reason', 'a complaint'],
      ['src/commands/accounts.ts', 'suspend-mailbox', deleted, 'ada@example.com'],
      ['src/commands/erase-account.ts', accountId, '--yes'],
    ] as const
    const before = await db.account.findMany({ where: { id: { in: [accountId, deleted] } }, orderBy: { id: 'asc' } })
    for (const [script, ...args] of commands)
      for (const variables of [{}, { SIGNING_SECRET: other }, { OTHER_SIGNING_SECRET: `2:${secret}` }]) {
        const { code, output, errors } = await runWith(variables, script, ...args)
        expect([code, output]).toEqual([1, ''])
        expect(errors).toMatch(/^SIGNING_SECRET: is not the secret that the service signs with.*\n$/)
      }
    expect(await db.account.findMany({ where: { id: { in: [accountId, deleted] } }, orderBy: { id: 'asc' } })).toEqual(
      before,
    )
    const { code } = await runWith({ SIGNING_SECRET: secret }, ...commands[0])
    expect(code).toBe(0)
    expect((await runWith({}, 'src/commands/accounts.ts', 'resume', accountId)).code).toBe(0)
  })

  it('says that an account is not suspended', async () => {
    const refused = { code: 1, output: '', errors: `${accountId} is not suspended\n` }
    expect(await accounts('resume', accountId)).toEqual(refused)
  })

  it('lists open accounts of the suspended mailbox, and leaves them as they are', async () => {
    const email = 'ada+second@example.com'
    const second = await createAccount(db, 'Ada’s second')
    await db.account.update({
      where: { id: second },
      data: { owner: { create: { id: newId('usr'), name: 'Ada', email } } },
    })
    const listed = { same_mailboxes: [expect.objectContaining({ account_id: second, email, suspended_at: null })] }
    expect(await changed('suspend', accountId, '--reason', 'a complaint')).toMatchObject(listed)
    expect(await changed('show', second)).toMatchObject({ suspended_at: null })
    await changed('resume', accountId)
    const deleted = await createAccount(db, '')
    await db.account.update({ where: { id: deleted }, data: { deletedAt: new Date() } })
    const both = (await changed('suspend-mailbox', deleted, 'Ada@example.com'))['same_mailboxes']
    expect(both).toHaveLength(2)
    expect(both).toContainEqual(expect.objectContaining({ account_id: second }))
    await changed('resume', deleted)
    await db.account.update({ where: { id: second }, data: { ownerId: null } })
  })

  it('grants and adjusts to the micro-dollar, with the reasons', async () => {
    const before = await changed('show', accountId)
    await changed('grant', accountId, '10.000001', '--reason', 'an outage')
    await changed('adjust', accountId, '--billed=3', '--reason', 'moved')
    const after = await changed('adjust', accountId, '--credits=-2.5', '--reason', 'a mistake')
    expect(after).toMatchObject({ credits_left_usd: Number(before['credits_left_usd']) + 7.500001, billed_usd: 3 })
    expect(after['operator_entries']).toMatchObject([
      { kind: 'adjustment', credits_usd: -2.5, billed_usd: 0, reason: 'a mistake' },
      { kind: 'adjustment', credits_usd: 0, billed_usd: 3, reason: 'moved' },
      { kind: 'grant', credits_usd: 10.000001, billed_usd: 0, reason: 'an outage' },
    ])
    expect(await checkLedger(db)).toEqual([])
  })

  it('revokes every key and connector, and says which, without secrets', async () => {
    const { keyId: connectorId, token } = await createKey(db, { kind: 'con', accountId, name: 'assistant' })
    const revoked = await changed('revoke-keys', accountId)
    const keys = [
      { id: keyId, name: 'server', prefix: publicPart({ id: keyId }) },
      { id: connectorId, name: 'assistant', prefix: token.slice(0, token.lastIndexOf('_')) },
    ]
    expect(revoked).toMatchObject({ keys: 0, connectors: 0, revoked: { count: 2, keys: expect.arrayContaining(keys) } })
    expect(JSON.stringify(revoked)).not.toContain(token.slice(-43))
    expect(await changed('revoke-keys', accountId)).toMatchObject({ revoked: { count: 0, keys: [] } })
    expect(await db.apiKey.findUniqueOrThrow({ where: { id: keyId } })).toMatchObject({ revokedAt: expect.any(Date) })
  })

  it('explains itself', async () => {
    const { code, output, errors } = await accounts('--help')
    expect([code, errors]).toEqual([0, ''])
    for (const name of [
      'find',
      'show',
      'jobs',
      'cancel-waiting',
      'suspend',
      'suspend-mailbox',
      'resume',
      'grant',
      'adjust',
      'revoke-keys',
    ]) {
      expect(output).toContain(`accounts.js ${name} `)
    }
  })

  it.each([
    [[], /^Finds and changes accounts/],
    [
      ['delete', 'acct_1'],
      /^unknown command delete\. Use find, show, jobs, cancel-waiting, suspend, .*revoke-keys, or --help\n$/,
    ],
    [['constructor', 'acct_1'], /^unknown command constructor\. Use find/],
    [['find'], /^missing: TEXT\nusage: accounts\.js find TEXT\n$/],
    [['show', ''], /^missing: ACCOUNT\nusage: accounts\.js show ACCOUNT\n$/],
    [['show', 'acct_1', 'more'], /^not expected: more\nusage: accounts\.js show ACCOUNT\n$/],
    [['suspend', 'acct_1'], /^missing: --reason TEXT\nusage: accounts\.js suspend ACCOUNT --reason TEXT\n$/],
    [['suspend', 'acct_1', '--reason', ' '], /^missing: --reason TEXT\nusage: /],
    [['resume', 'acct_1', '--reason', 'x'], /^not expected: --reason\nusage: accounts\.js resume ACCOUNT\n$/],
    [['grant', 'acct_1', '5'], /^missing: --reason TEXT\nusage: accounts\.js grant ACCOUNT USD --reason TEXT\n$/],
    [['grant', 'acct_1'], /^missing: USD, --reason TEXT\nusage: /],
    [
      ['adjust', 'acct_1', '--reason', 'x'],
      /^missing: --credits=USD or --billed=USD\nusage: accounts\.js adjust ACCOUNT \[--credits=USD\] \[--billed=USD\] --reason TEXT\n$/,
    ],
    [['grant', 'acct_1', '5', '--reson', 'x'], /^Unknown option '--reson'\nusage: accounts\.js grant/],
    [['fi\u001b[31mnd', 'acct_1'], /^unknown command fi\\u\{1b\}\[31mnd\. Use find/],
    [['show', 'acct_\u009b31m'], /^no account has the id acct_\\u\{9b\}31m\n$/],
    [
      ['show', 'eve@example.com'],
      /^no account has the id eve@example\.com: accounts\.js find eve@example\.com prints the id\n$/,
    ],
    [['show', 'acct_none'], /^no account has the id acct_none\n$/],
  ])('refuses %j', async (args, message) => {
    const { code, output, errors } = await accounts(...args)
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(message)
  })

  it.each(['1e3', '0.0000001', 'five', '-5', '0'])('grants no amount of %j', async (usd) => {
    const entries = () => db.ledgerEntry.count({ where: { accountId } })
    const before = await entries()
    const { code, errors } = await accounts('grant', accountId, '--reason', 'x', '--', usd)
    expect([code, errors.trim().split('\n').length]).toEqual([1, 1])
    expect(await entries()).toBe(before)
  })
})

it.each([
  ['new-account', '--help'],
  ['new-account', 'Example', '--help'],
  ['new-key', 'acct_1', '--help'],
  ['erase-account', 'acct_1', '--yes', '--help'],
  ['check-ledger', '--help'],
  ['show-job', 'job_1', '--help'],
  ['setup', '--help'],
  ['upkeep', 'pause', '--help'],
])('%s %s only explains itself where help is asked for', async (name, ...args) => {
  const { code, output, errors } = await run(`src/commands/${name}.ts`, ...args)
  expect([code, errors]).toEqual([0, ''])
  expect(output).toMatch(`usage: ${name}.js`)
})
