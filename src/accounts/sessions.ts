import type { Database } from '../store/database.ts'

/** The user's sessions that are not over, newest first, without their tokens. */
export async function listSessions(db: Database, userId: string) {
  return db.session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
    select: { id: true, ipAddress: true, userAgent: true, createdAt: true, updatedAt: true, expiresAt: true },
  })
}

/** Tells whether there was such a session. The next request with it is refused on every API process. */
export async function endSession(db: Database, userId: string, sessionId: string): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { id: sessionId, userId } })
  return count > 0
}

export async function endOtherSessions(db: Database, userId: string, sessionId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId, id: { not: sessionId } } })
}

/** Deletes sessions and mailed proofs whose time is over, and tells how many. */
export async function forgetExpired(db: Database, now: Date): Promise<number> {
  const expired = { where: { expiresAt: { lt: now } } }
  const gone = await Promise.all([db.session.deleteMany(expired), db.verification.deleteMany(expired)])
  return gone.reduce((sum, { count }) => sum + count, 0)
}
