import { newId } from '../core/ids.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Database } from '../store/database.ts'
import { append } from './ledger.ts'

/** What every account gets once: 5 USD. */
export const freeCreditsMicroUsd: MicroUsd = 5_000_000n

/** Makes an account with its free credits. */
export async function createAccount(db: Database, name: string, id = newId('acct')): Promise<string> {
  await db.$transaction(async (tx) => {
    await tx.account.create({ data: { id, name } })
    await append(tx, {
      accountId: id,
      jobId: null,
      kind: 'grant',
      step: 'sign-up',
      amount: { credit: freeCreditsMicroUsd, billable: 0n },
    })
  })
  return id
}

const developmentAccountId = 'acct_development'

/** The account of a local stack; made at its first start. */
export async function ensureDevelopmentAccount(db: Database): Promise<string> {
  const account = await db.account.findUnique({ where: { id: developmentAccountId } })
  return account?.id ?? createAccount(db, 'Development', developmentAccountId)
}
