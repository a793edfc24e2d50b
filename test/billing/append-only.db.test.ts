import { expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { openTestDatabase } from '../setup/database.ts'
import { acceptClip, draftClip } from './jobs.ts'

const db = await openTestDatabase()

async function accountWithJob(): Promise<string> {
  const accountId = await createAccount(db, 'append-only')
  const { job } = await acceptClip(db, accountId, { seconds: 60 })
  await draftClip(db, job.id, 30_000)
  await settleJob(db, job.id)
  return accountId
}

it.each([
  'UPDATE ledger_entries SET month = month',
  'DELETE FROM ledger_entries',
  'TRUNCATE ledger_entries',
  'TRUNCATE accounts CASCADE',
  'DELETE FROM jobs',
  'DELETE FROM accounts',
])('the database refuses %s', async (sql) => {
  const accountId = await accountWithJob()
  await expect(db.$executeRawUnsafe(sql)).rejects.toThrow(/append-only/)
  expect(await db.ledgerEntry.count({ where: { accountId } })).toBe(4)
})

const deleteEntries = (accountId: string) => db.$executeRaw`DELETE FROM ledger_entries WHERE account_id = ${accountId}`

it('a transaction that names an account can erase it with its entries, and no other account', async () => {
  const [erased, kept] = [await accountWithJob(), await accountWithJob()]
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('ledger.erased_account', ${erased}, true)`
    await tx.account.delete({ where: { id: erased } })
    await expect(deleteEntries(kept)).rejects.toThrow(/append-only/)
  })
  expect(await db.ledgerEntry.count({ where: { accountId: erased } })).toBe(0)
  expect(await db.ledgerEntry.count({ where: { accountId: kept } })).toBe(4)
  expect(await checkLedger(db)).toEqual([])
  await expect(deleteEntries(kept)).rejects.toThrow(/append-only/)
})

it('an entry of a step is written once for an account', async () => {
  const accountId = await accountWithJob()
  const [grant] = await db.ledgerEntry.findMany({ where: { accountId, kind: 'grant' } })
  if (!grant) throw new Error('the account was granted nothing')
  await expect(db.ledgerEntry.create({ data: { ...grant, id: 'led_second' } })).rejects.toThrow(/Unique constraint/)
})
