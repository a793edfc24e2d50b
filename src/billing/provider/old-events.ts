import { dayMs } from '../../core/durations.ts'
import type { Database } from '../../store/database.ts'

/** Stripe repeats an event for three days, and operators can resend those of the last 30. */
const keptMilliseconds = 60 * dayMs

/** Deletes the ids of up to `limit` old events, and returns their number. */
export async function deleteOldEvents(db: Database, limit: number): Promise<number> {
  const { count } = await db.billingEvent.deleteMany({
    where: { createdAt: { lt: new Date(Date.now() - keptMilliseconds) } },
    limit,
  })
  return count
}
