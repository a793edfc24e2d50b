import type { Database, Transaction } from '../store/database.ts'

/** The user's unexpired sessions, newest first, without their tokens. */
export async function listSessions(db: Database, userId: string) {
  return db.session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
    select: { id: true, ipAddress: true, userAgent: true, createdAt: true, updatedAt: true, expiresAt: true },
  })
}

/** Returns whether the session existed. Every API process refuses the next request with it. */
export async function endSession(db: Database, userId: string, sessionId: string): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { id: sessionId, userId } })
  return count > 0
}

export async function endOtherSessions(db: Database, userId: string, sessionId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId, id: { not: sessionId } } })
}

export async function endAllSessions(db: Database, userId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId } })
}

/** Whether the session exists. It then does until the transaction ends. */
export async function holdSession(tx: Transaction, sessionId: string): Promise<boolean> {
  return (await tx.$executeRaw`SELECT FROM sessions WHERE id = ${sessionId} FOR SHARE`) > 0
}

/** Links that were mailed earlier could change the password again. */
export async function forgetMailedLinks(db: Database, userId: string): Promise<void> {
  await db.verification.deleteMany({ where: { value: userId } })
}

/** Deletes up to `limit` users who did not confirm their address, and returns their number. They have no account, and can sign up again. */
export async function forgetUnconfirmed(db: Database, signedUpBefore: Date, limit: number): Promise<number> {
  const where = { emailVerified: false, account: null, createdAt: { lt: signedUpBefore } }
  const { count } = await db.user.deleteMany({ where, limit })
  return count
}

/** Deletes up to `limit` expired sessions, and as many verifications, and returns their number. */
export async function forgetExpired(db: Database, now: Date, limit: number): Promise<number> {
  const expired = { where: { expiresAt: { lt: now } }, limit }
  const gone = await Promise.all([db.session.deleteMany(expired), db.verification.deleteMany(expired)])
  return gone.reduce((sum, { count }) => sum + count, 0)
}
