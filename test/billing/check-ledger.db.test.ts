import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createKey } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { recordPayment } from '../../src/billing/payments.ts'
import { newId } from '../../src/core/ids.ts'
import { holdEstimate, settleJob } from '../../src/jobs/settle-job.ts'
import { openTestDatabase } from '../setup/database.ts'
import { acceptClip, clipPrice, draftClip } from './jobs.ts'

const db = await openTestDatabase()
let accountId: string
let other: string
let completed: string
let failed: string
let open: string

beforeAll(async () => {
  accountId = await createAccount(db, 'checked')
  other = await createAccount(db, 'other')
  const { keyId: makerId } = await createKey(db, { accountId, name: 'maker' })
  const { keyId: apiKeyId } = await createKey(db, { accountId, name: 'made', makerId })
  const accept = async (seconds: number | null) => (await acceptClip(db, accountId, { seconds, apiKeyId })).job.id
  completed = await accept(60)
  failed = await accept(null)
  open = await accept(null)
  await holdEstimate(db, completed, () => clipPrice(50))
  await draftClip(db, completed, 40_000)
  await settleJob(db, completed)
  await settleJob(db, failed, { code: 'canceled', message: 'Canceled.' })
  await holdEstimate(db, open, () => clipPrice(600))
  await recordPayment(db, { accountId, reference: 'in_paid', amountMicroUsd: 0n })
  const invoice = { id: newId('inv'), accountId, month: '1999-12', amountCents: 0n }
  await db.invoice.create({ data: { ...invoice, status: 'paid', providerId: 'in_paid' } })
})

it('finds nothing for correctly booked completed, failed and open jobs', async () => {
  expect(await checkLedger(db)).toEqual([])
})

it.each([
  [
    'the counters of an account are the sums of its entries',
    () => 'UPDATE accounts SET held_micro_usd = held_micro_usd + 1',
  ],
  [
    'the sums of a month are those of its entries',
    () => 'UPDATE account_months SET captured_billable_micro_usd = captured_billable_micro_usd + 1',
  ],
  ['the sums of a month are those of its entries', () => 'DELETE FROM account_months'],
  [
    'the usage of a day is that of its jobs',
    () => 'UPDATE usage_days SET billed_milliseconds = billed_milliseconds + 1',
  ],
  ['the usage of a day is that of its jobs', () => 'DELETE FROM usage_days'],
  [
    'the sums of a month are those of its entries',
    () => `INSERT INTO account_months (account_id, month) VALUES ('${accountId}', '1999-12')`,
  ],
  [
    'the sums of a key are those of its jobs and of the keys below it',
    () => 'UPDATE key_months SET captured_micro_usd = captured_micro_usd + 1',
  ],
  [
    'the sums of a key are those of its jobs and of the keys below it',
    () => "DELETE FROM key_months WHERE key_id IN (SELECT id FROM api_keys WHERE name = 'maker')",
  ],
  ['no account is below zero', () => 'UPDATE accounts SET credit_micro_usd = -1'],
  ['no amount is negative', () => `UPDATE ledger_entries SET credit_micro_usd = -1 WHERE job_id = '${open}'`],
  [
    'holds, captures and releases belong to a job, and nothing else does',
    () => `UPDATE ledger_entries SET job_id = NULL WHERE job_id = '${completed}' AND kind = 'capture'`,
  ],
  [
    'holds, captures and releases belong to a job, and nothing else does',
    () => `UPDATE ledger_entries SET job_id = '${completed}' WHERE account_id = '${accountId}' AND kind = 'grant'`,
  ],
  [
    'an entry is of a step that writes its kind',
    () => `UPDATE ledger_entries SET step = 'again' WHERE job_id = '${completed}' AND kind = 'capture'`,
  ],
  [
    'only the last step of a job ends its hold',
    () => `UPDATE ledger_entries SET ends_hold_of = '${open}' WHERE ends_hold_of = '${failed}'`,
  ],
  [
    'a job holds its price from the start',
    () => `DELETE FROM ledger_entries WHERE job_id = '${failed}' AND step = 'create'`,
  ],
  [
    'credits are used up before anything is billed',
    () =>
      `UPDATE ledger_entries SET credit_micro_usd = credit_micro_usd - 1, billable_micro_usd = 1 WHERE job_id = '${completed}' AND kind = 'capture'`,
  ],
  [
    'an entry is on its job’s account',
    () => `UPDATE ledger_entries SET account_id = '${other}' WHERE job_id = '${open}' AND step = 'create'`,
  ],
  [
    'a job’s entries are in one month',
    () => `UPDATE ledger_entries SET month = '1999-12' WHERE job_id = '${completed}' AND kind = 'capture'`,
  ],
  ['a hold ends once, when its job does', () => `DELETE FROM ledger_entries WHERE ends_hold_of = '${failed}'`],
  [
    'a hold ends once, when its job does',
    () => `UPDATE ledger_entries SET ends_hold_of = job_id WHERE job_id = '${open}' AND step = 'create'`,
  ],
  ['nothing is held for a job that has ended', () => `UPDATE jobs SET ended_at = now() WHERE id = '${open}'`],
  [
    'no more is released or captured than was held',
    () => `UPDATE ledger_entries SET kind = 'release' WHERE job_id = '${open}' AND step = 'estimate'`,
  ],
  [
    'a completed job is captured once, others never',
    () => `UPDATE jobs SET status = 'failed' WHERE id = '${completed}'`,
  ],
  ['what is captured is the final price', () => `UPDATE jobs SET final_micro_usd = 1 WHERE id = '${completed}'`],
  [
    'what is captured is the price of what was made, the estimate or the limit, whichever is least',
    () => `UPDATE jobs SET estimated_micro_usd = 1 WHERE id = '${completed}'`,
  ],
  ['a job costs at most its own limit', () => `UPDATE jobs SET limit_micro_usd = 1 WHERE id = '${completed}'`],
  [
    'a run holds and captures at most its limit',
    () => `WITH run AS (
        INSERT INTO workflow_runs (id, account_id, request_id, chain, media_url, media_seconds, settings, warnings, limit_micro_usd)
        VALUES ('run_short', '${accountId}', 'req_short', 'remove-dead-space', '', 1, '{}', '{}', ${clipPrice(40) + clipPrice(600) - 1n})
        RETURNING id
      ) UPDATE jobs SET run_id = run.id FROM run`,
  ],
  [
    'a paid invoice has its payment, and no other invoice has one',
    () => "UPDATE ledger_entries SET step = 'payment/other' WHERE kind = 'payment'",
  ],
  ['a paid invoice has its payment, and no other invoice has one', () => "UPDATE invoices SET status = 'open'"],
  ['an invoice is the sum of its lines', () => 'UPDATE invoices SET amount_cents = 1'],
  ['no part of a month is charged twice', () => 'INSERT INTO invoice_lines SELECT id, 0, month, 0, 1, 0 FROM invoices'],
  ...[39_000, 41_000].map((made): [string, () => string] => [
    'what is captured is the price of what was made, the estimate or the limit, whichever is least',
    () => `UPDATE jobs SET billed_milliseconds = ${made} WHERE id = '${completed}'`,
  ]),
])('finds where this does not hold: %s', async (rule, corrupt) => {
  const undo = new Error('undone')
  const corrupted = db.$transaction(async (tx) => {
    // An owner of the tables could do this.
    await tx.$executeRaw`ALTER TABLE ledger_entries DISABLE TRIGGER USER`
    await tx.$executeRawUnsafe(corrupt())
    expect((await checkLedger(tx)).map((finding) => finding.rule)).toContain(rule)
    throw undo
  })
  await expect(corrupted).rejects.toBe(undo)
})

it.each(['key_months', 'usage_days'])(
  'finds nothing after the migration that filled %s from earlier entries',
  async (table) => {
    const migrations = path.resolve('prisma/migrations')
    const statements = readdirSync(migrations, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.sql'))
      .flatMap((file) => readFileSync(path.join(migrations, file), 'utf8').split(/;\n/))
    const [fill = ''] = statements.filter(
      (statement) => new RegExp(`^INSERT INTO "${table}"\\n?SELECT`, 'm').test(statement) && !statement.includes('$$'),
    )
    await db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`DELETE FROM ${table}`)
      await tx.$executeRawUnsafe(fill)
    })
    expect(await checkLedger(db)).toEqual([])
  },
)
