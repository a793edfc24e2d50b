import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Dependencies } from '../../activities/dependencies.ts'
import { upkeepRuns } from '../../activities/upkeep/index.ts'
import { deleteAccount, eraseAccount } from '../../src/accounts/erase-account.ts'
import { mailboxHashes } from '../../src/accounts/suspension.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { grantFreeCredits } from '../../src/billing/credits.ts'
import { newId } from '../../src/core/ids.ts'
import { developmentSecret } from '../../src/core/signing-secret.ts'
import { Prisma } from '../../src/db/generated/client.ts'
import { markUploadsDeleted } from '../../src/jobs/delete.ts'
import { areContentsErased, eraseUpload } from '../../src/jobs/erase.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { useDependencies } from '../activities/use-dependencies.ts'
import { untilFound } from '../until-found.ts'
import { createPerson, type Person } from './person.ts'
import { tracesInDatabase, tracesInFiles } from './traces.ts'

const deps = await useDependencies()
const config = { SIGNING_KEY_ID: '1', SIGNING_SECRET: developmentSecret }
const dataDir = path.dirname(deps.workDir)
const never = new AbortController().signal

/** Runs the rules of upkeep that a deletion needs, once. */
async function upkeepPass(): Promise<void> {
  const rules = upkeepRuns(deps)
  for (const rule of ['resendCancellations', 'deleteDeadObjects', 'finishDeletions', 'eraseAccounts']) {
    const run = rules[rule]
    if (!run) throw new Error(`no rule ${rule}`)
    await run(never)
  }
}

const traces = async ({ needle }: Pick<Person, 'needle'>) => [
  ...(await tracesInDatabase(deps.db, [needle])),
  ...(await tracesInFiles(dataDir, [needle])),
]

/** Everything that an account has, as text. */
async function everythingOf({ accountId, needle }: Person): Promise<string> {
  const where = { where: { accountId }, orderBy: { id: 'asc' } } as const
  const { db } = deps
  return JSON.stringify(
    [
      await db.account.findUnique({ where: { id: accountId }, include: { owner: { include: { sessions: true } } } }),
      await db.job.findMany({ ...where, include: { outputs: true, staged: true } }),
      ...[await db.upload.findMany(where), await db.workflowRun.findMany(where), await db.analysis.findMany(where)],
      await db.share.findMany(where),
      ...[await db.apiKey.findMany(where), await db.notice.findMany(where), await db.probe.findMany(where)],
      await tracesInFiles(dataDir, [needle]),
    ],
    (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
}

it('erases a person with everything, keeps the ledger and touches nobody else', async () => {
  const other = await createPerson(deps)
  await upkeepPass()
  const person = await createPerson(deps)
  expect(await tracesInDatabase(deps.db, [person.needle])).toEqual(
    // biome-ignore format: a list
    ['accounts', 'api_keys', 'brands', 'events', 'idempotency_records', 'jobs', 'notices', 'outputs', 'probes', 'sessions', 'sign_in_methods',
      'uploads', 'users', 'verifications', 'workflow_runs'],
  )
  expect((await tracesInFiles(dataDir, [person.needle])).length).toBeGreaterThanOrEqual(9)
  const before = await everythingOf(other)
  const entries = await deps.db.ledgerEntry.count({ where: { accountId: person.accountId } })

  await deleteAccount({ ...deps, config }, person.accountId)
  expect(await tracesInDatabase(deps.db, [person.email])).toEqual([])
  expect(await deps.db.share.count({ where: { accountId: person.accountId } })).toBe(0)
  await eraseAccount(deps, person.accountId, never)
  await upkeepPass()

  expect(await traces(person)).toEqual([])
  const account = await deps.db.account.findUniqueOrThrow({ where: { id: person.accountId } })
  expect(account).toMatchObject({ ownerId: null, heldMicroUsd: 0n })
  expect(account.erasedAt).not.toBeNull()
  // The open job's hold is released.
  expect(await deps.db.ledgerEntry.count({ where: { accountId: person.accountId } })).toBe(entries + 1)
  expect(await checkLedger(deps.db)).toEqual([])
  expect(await everythingOf(other)).toBe(before)
})

it('erases an account with more rows than one statement can delete', async () => {
  const { accountId } = await createPerson(deps)
  await deps.db.$executeRaw`INSERT INTO events (id, account_id, type, subject_id, payload)
    SELECT 'evt_many' || n, ${accountId}, 'job.completed', 'job_many' || n, '{}' FROM generate_series(1, 900) AS n`
  await deps.db.$executeRaw`INSERT INTO notices (id, account_id, kind, key, data)
    SELECT 'ntc_many' || n, ${accountId}, 'test', n, '{}' FROM generate_series(1, 900) AS n`
  await deps.db.$executeRaw`INSERT INTO idempotency_records (account_id, key, job_id, method, path, body_hash)
    SELECT ${accountId}, 'many' || n, '', 'POST', '/v1/jobs', '' FROM generate_series(1, 900) AS n`
  const tables = ['events', 'notices', 'idempotency_records'].map((table) => Prisma.raw(table))
  await deps.db.$executeRaw`CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF (SELECT count(*) FROM gone) > 500 THEN RAISE 'too many rows'; END IF; RETURN NULL; END $$`
  for (const table of tables)
    await deps.db.$executeRaw`CREATE TRIGGER refuse_many AFTER DELETE ON ${table}
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`
  await deleteAccount({ ...deps, config }, accountId)
  await eraseAccount(deps, accountId, never)
  await upkeepPass()
  for (const table of tables) {
    const [{ count }] = await deps.db.$queryRaw<
      [{ count: bigint }]
    >`SELECT count(*) FROM ${table} WHERE account_id = ${accountId}`
    expect(count).toBe(0n)
  }
  await deps.db.$executeRaw`DROP FUNCTION refuse_many() CASCADE`
})

it('leaves of a key neither name, secret nor last use', async () => {
  const person = await createPerson(deps)
  const { accountId } = person
  await deps.db.apiKey.updateMany({ where: { accountId }, data: { lastUsedAt: new Date() } })
  await deleteAccount({ ...deps, config }, accountId)
  await eraseAccount(deps, accountId, never)
  await upkeepPass()
  const [key] = await deps.db.apiKey.findMany({ where: { accountId } })
  expect(key).toMatchObject({ name: '', lastFour: '', secretHash: new Uint8Array(), lastUsedAt: null })
})

/** The columns with texts of the account's jobs or runs that are not empty in every row. */
async function filledColumns(table: 'jobs' | 'workflow_runs', accountId: string): Promise<string[]> {
  const texts = columnNames.parse(
    await deps.db.$queryRaw`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND data_type IN ('text', 'json', 'jsonb', 'ARRAY')`,
  )
  const rows = jsonRows.parse(
    await deps.db.$queryRaw`
    SELECT to_jsonb(line) AS row FROM ${Prisma.raw(table)} AS line WHERE account_id = ${accountId}`,
  )
  const isEmpty = (value: unknown) => value === null || value === '' || /^(\[\]|\{\})$/.test(JSON.stringify(value))
  return texts.flatMap(({ name }) => (rows.every(({ row }) => isEmpty(row[name])) ? [] : [name]))
}

const columnNames = z.array(z.object({ name: z.string() })).min(8)
const jsonRows = z.array(z.object({ row: z.record(z.string(), z.unknown()) })).min(1)

it('empties every column with texts of jobs and runs but those that the ledger and the usage refer to', async () => {
  const person = await createPerson(deps)
  await person.work(person.open.id, person.uploaded)
  const { accountId } = person
  const kept = {
    jobs: ['id', 'account_id', 'api_key_id', 'run_id', 'endpoint'],
    // The code says that the run failed, for the counts of its batch. The message is that of the table.
    workflow_runs: ['id', 'account_id', 'api_key_id', 'chain', 'error'],
  }
  for (const table of ['jobs', 'workflow_runs'] as const) {
    const count = await deps.db.$queryRaw<unknown[]>`
      SELECT FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ${table} AND data_type IN ('text', 'json', 'jsonb', 'ARRAY')`
    // A new column is to be filled by createPerson, and erased.
    expect({ table, filled: (await filledColumns(table, accountId)).length }).toEqual({ table, filled: count.length })
  }
  await deleteAccount({ ...deps, config }, accountId)
  await eraseAccount(deps, accountId, never)
  for (const table of ['jobs', 'workflow_runs'] as const) {
    expect((await filledColumns(table, accountId)).toSorted()).toEqual(kept[table].toSorted())
  }
})

it('leaves an upload until the job that reads it has ended, which would fail for its media before it is canceled', async () => {
  const { db, storage } = deps
  const { uploadId, open, uploaded } = await createPerson(deps)
  const { key } = uploaded.object
  await db.job.update({ where: { id: open.id }, data: { mediaKey: key } })
  await markUploadsDeleted(db, Prisma.sql`id = ${uploadId}`)
  const before = await storage.stat(key)
  expect(before?.bytes).toBeGreaterThan(0)
  expect(await eraseUpload(deps, uploadId)).toBe(false)
  expect(await storage.stat(key)).toEqual(before)
  await settleJob(db, open.id, { code: 'canceled', message: 'Canceled.' })
  const asPicture = { mediaKey: null, settings: { upload_ids: [uploadId] } }
  const reader = await db.job.update({ where: { id: open.id }, data: { endedAt: null, ...asPicture } })
  expect(await eraseUpload(deps, uploadId)).toBe(false)
  await db.job.update({ where: { id: reader.id }, data: { endedAt: new Date() } })
  expect(await eraseUpload(deps, uploadId)).toBe(true)
  expect(await storage.stat(key)).toMatchObject({ bytes: 0 })
})

it('stops between two analyses when its signal aborts, and leaves the customer at the provider', async () => {
  const { db, storage } = deps
  const { accountId } = await createPerson(deps)
  await deleteAccount({ ...deps, config }, accountId)
  const analyses = Array.from({ length: 30 }, (_, at) => ({
    ...{ id: newId('ana'), accountId, source: `source ${at}`, version: 'v1', mediaInfo: {}, trackIndex: 0 },
    ...{ startMs: 0, endMs: 10, format: 1, objectKey: `analyses/${accountId}/${at}` },
  }))
  await db.analysis.createMany({ data: analyses })
  const aborting = new AbortController()
  const stopping = {
    ...storage,
    delete: async (key: string) => {
      if (key.startsWith(`analyses/${accountId}/`)) aborting.abort()
      await storage.delete(key)
    },
  }
  const forgetCustomer = vi.fn(async () => {})
  const changed = { ...deps, storage: stopping, billing: { ...deps.billing, forgetCustomer } }
  await expect(eraseAccount(changed, accountId, aborting.signal)).rejects.toThrow()
  expect(await db.analysis.count({ where: { accountId } })).toBeGreaterThan(0)
  expect(forgetCustomer).not.toHaveBeenCalled()
  await eraseAccount(changed, accountId, never)
  expect(await db.analysis.count({ where: { accountId } })).toBe(0)
})

it('waits for a process that reaches the provider of its customer', async () => {
  const { db } = deps
  const { accountId } = await createPerson(deps)
  await db.billingCustomer.create({ data: { accountId, customerId: `cus_of_${accountId}` } })
  await deleteAccount({ ...deps, config }, accountId)
  const isErased = async () => (await db.account.findUniqueOrThrow({ where: { id: accountId } })).erasedAt !== null
  await untilFound(async () => {
    await upkeepPass().catch(() => {})
    return areContentsErased(db, accountId)
  })
  await expect(eraseAccount(deps, accountId, never)).rejects.toThrow('BILLING=stripe')
  expect(await isErased()).toBe(false)
  const forgetCustomer = vi.fn(async () => {})
  expect(await eraseAccount({ ...deps, billing: { ...deps.billing, forgetCustomer } }, accountId, never)).toBe(true)
  expect(forgetCustomer).toHaveBeenCalledWith(accountId)
  expect(await isErased()).toBe(true)
})

it('is finished by upkeep after a failure at any step', async () => {
  const people: Person[] = []
  /** Whether there was a step of this number, which failed. */
  const failAt = async (step: number): Promise<boolean> => {
    const person = await createPerson(deps)
    const { accountId } = person
    people.push(person)
    const broken = failingAt(step)
    const isReached = await deleteAccount({ ...broken.deps, config }, accountId)
      .then(() => eraseAccount(broken.deps, accountId, never))
      .then(broken.isReached, () => true)
    const { deletedAt } = await deps.db.account.findUniqueOrThrow({ where: { id: accountId } })
    // Before its transaction has committed, the request has failed, and its caller repeats it.
    if (!deletedAt) await deleteAccount({ ...deps, config }, accountId)
    return isReached
  }
  const together = [0, 1, 2, 3]
  for (let isReached = true; isReached; ) {
    const first = people.length
    isReached = (await Promise.all(together.map((nth) => failAt(first + nth)))).every(Boolean)
  }
  expect(people.length).toBeGreaterThan(60)
  const needles = people.map(({ needle }) => needle)
  expect((await tracesInFiles(dataDir, needles)).length).toBeGreaterThan(60)

  for (let pass = 0; pass < 3; pass += 1) await upkeepPass()
  expect(await tracesInDatabase(deps.db, needles)).toEqual([])
  expect(await tracesInFiles(dataDir, needles)).toEqual([])
  const unfinished = { id: { in: people.map(({ accountId }) => accountId) }, erasedAt: null }
  expect(await deps.db.account.count({ where: unfinished })).toBe(0)
  expect(await checkLedger(deps.db)).toEqual([])
})

/** The dependencies, of which one call of the database or the storage fails: the one after `calls` others. */
function failingAt(calls: number): { deps: Dependencies; isReached: () => boolean } {
  let left = calls
  const count = () => {
    left -= 1
    if (left === -1) throw new Error('injected')
  }
  const failing = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value === 'object' && value !== null) return failing(value)
        if (typeof value !== 'function') return value
        return (first: unknown, ...rest: unknown[]) => {
          if (name !== '$transaction') count()
          const isWork = name === '$transaction' && typeof first === 'function'
          const work = isWork ? (tx: object) => Reflect.apply(first, undefined, [failing(tx)]) : first
          return Reflect.apply(value, target, [work, ...rest])
        }
      },
    })
  return { deps: { ...deps, db: failing(deps.db), storage: failing(deps.storage) }, isReached: () => left < 0 }
}

it('takes a job that ends meanwhile: captured or released, never both, and no object stays', async () => {
  const rounds = 6
  const people: Person[] = []
  for (let round = 0; round < rounds; round += 1) {
    const person = await createPerson(deps)
    const { accountId, open, uploaded } = person
    await person.work(open.id, uploaded)
    const ways = [() => settleJob(deps.db, open.id), () => deleteAccount({ ...deps, config }, accountId)]
    await Promise.all((round % 2 ? ways : ways.toReversed()).map((way) => way()))
    const ended = await deps.db.ledgerEntry.findMany({ where: { endsHoldOf: open.id } })
    expect(ended).toHaveLength(1)
    await deps.db.job.updateMany({ where: { accountId }, data: { endedAt: new Date(Date.now() - 60_000) } })
    people.push(person)
  }
  for (let pass = 0; pass < 3; pass += 1) await upkeepPass()
  const needles = people.map(({ needle }) => needle)
  expect(await tracesInDatabase(deps.db, needles)).toEqual([])
  expect(await tracesInFiles(dataDir, needles)).toEqual([])
  expect(await checkLedger(deps.db)).toEqual([])
})

it('never captures a job that ends after the account was deleted', async () => {
  const person = await createPerson(deps)
  await person.work(person.open.id, person.uploaded)
  await deleteAccount({ ...deps, config }, person.accountId)
  expect(await settleJob(deps.db, person.open.id)).toMatchObject({ status: 'failed', finalMicroUsd: 0n })
})

it('accepts nothing new for a deleted account, and starts nothing', async () => {
  const person = await createPerson(deps)
  await deleteAccount({ ...deps, config }, person.accountId)
  await expect(person.accept(person.uploaded)).rejects.toMatchObject({ code: 'invalid_api_key' })
})

it.each(['none', 'mail'] as const)(
  'a mailbox gets no second credits after its account was erased, with the proof %s',
  async (proof) => {
    const { accountId, needle, email } = await createPerson(deps)
    // The first credits are older than the hashes of mailboxes.
    expect(await deps.db.grantedMailbox.count({ where: { hash: { in: [...mailboxHashes(config, email)] } } })).toBe(0)
    await deleteAccount({ ...deps, config }, accountId)
    const again = newId('acct')
    await deps.db.account.create({ data: { id: again, name: 'again' } })
    const mailboxes = mailboxHashes(config, `${needle}+tag@example.com`)
    await grantFreeCredits(deps.db, { accountId: again, proof, mailboxes, network: needle, grantsPerNetwork: 9 })
    expect((await deps.db.account.findUniqueOrThrow({ where: { id: again } })).creditMicroUsd).toBe(0n)
  },
)
