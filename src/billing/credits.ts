import { newId } from '../core/ids.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Database, Transaction } from '../store/database.ts'
import { append } from './ledger.ts'

/** The free credits of a new account: 5 USD. */
export const freeCreditsMicroUsd: MicroUsd = 5_000_000n

/** Creates an account with its free credits. */
export async function createAccount(db: Database, name: string, id = newId('acct')): Promise<string> {
  await db.$transaction((tx) => openAccount(tx, { id, name }))
  return id
}

interface NewAccount {
  readonly id: string
  readonly name: string
  readonly ownerId?: string
}

/** Creates an account with its free credits, unless its owner already has one. */
export async function openAccount(tx: Transaction, account: NewAccount): Promise<void> {
  const { count } = await tx.account.createMany({ data: [account], skipDuplicates: account.ownerId !== undefined })
  if (count === 0) return
  await append(tx, {
    accountId: account.id,
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
