import { newId } from '../core/ids.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Database, Transaction } from '../store/database.ts'
import { append } from './ledger.ts'

/** The free credits of a new account: 5 USD. */
export const freeCreditsMicroUsd: MicroUsd = 5_000_000n

/** Creates an account without an owner, for which its operator vouches, with its free credits. */
export async function createAccount(db: Database, name: string, id = newId('acct')): Promise<string> {
  await db.$transaction(async (tx) => {
    await tx.account.create({ data: { id, name } })
    await grantCredits(tx, id)
  })
  return id
}

/** Writes the free credits of an account that has none yet. */
export async function grantCredits(tx: Transaction, accountId: string): Promise<void> {
  await append(tx, {
    accountId,
    jobId: null,
    kind: 'grant',
    step: 'sign-up',
    amount: { credit: freeCreditsMicroUsd, billable: 0n },
  })
}

const developmentAccountId = 'acct_development'

/** The account of a local stack, created at its first start. */
export async function ensureDevelopmentAccount(db: Database): Promise<string> {
  const account = await db.account.findUnique({ where: { id: developmentAccountId } })
  return account?.id ?? createAccount(db, 'Development', developmentAccountId)
}
