import { grantCredits } from '../billing/credits.ts'
import { newId } from '../core/ids.ts'
import type { Database } from '../store/database.ts'

/** Creates an account without an owner, for which its operator vouches, with its free credits. */
export async function createAccount(db: Database, name: string, id = newId('acct')): Promise<string> {
  await db.$transaction(async (tx) => {
    await tx.account.create({ data: { id, name } })
    await grantCredits(tx, id)
  })
  return id
}

const developmentAccountId = 'acct_development'

/** The account of a local stack, created at its first start. */
export async function ensureDevelopmentAccount(db: Database): Promise<string> {
  const account = await db.account.findUnique({ where: { id: developmentAccountId } })
  return account?.id ?? createAccount(db, 'Development', developmentAccountId)
}
