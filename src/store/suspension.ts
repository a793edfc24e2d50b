import { ServiceError } from '../core/errors.ts'
import { type Database, lockAccount, type Transaction } from './database.ts'

/** From now on the account creates no job, upload, estimate or key. Repeating it changes the reason. */
export async function suspendAccount(db: Database, accountId: string, reason: string): Promise<void> {
  await db.$transaction(async (tx) => {
    // Waits for a job that is being accepted.
    await lockAccount(tx, accountId)
    const { suspendedAt } = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
    const data = { suspendedAt: suspendedAt ?? new Date(), suspendedReason: reason }
    await tx.account.update({ where: { id: accountId }, data })
  })
}

/** Upkeep starts the jobs that waited. */
export async function resumeAccount(db: Database, accountId: string): Promise<void> {
  await db.account.update({ where: { id: accountId }, data: { suspendedAt: null, suspendedReason: null } })
}

async function isSuspended(db: Database | Transaction, accountId: string): Promise<boolean> {
  const account = await db.account.findUnique({ where: { id: accountId }, select: { suspendedAt: true } })
  return account !== null && account.suspendedAt !== null
}

/** Everything that an account creates calls this. Throws `account_suspended`. */
export async function assertNotSuspended(db: Database | Transaction, accountId: string): Promise<void> {
  if (await isSuspended(db, accountId)) throw new ServiceError('account_suspended')
}
