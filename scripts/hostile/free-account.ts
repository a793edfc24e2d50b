import { grantCredits } from '../../src/billing/credits.ts'
import { newId } from '../../src/core/ids.ts'
import type { Database } from '../../src/db/database.ts'

/** Opens an account as its owner does by signing up: with the free credits, and without billing. */
export async function openFreeAccount(db: Database): Promise<string> {
  const [ownerId, accountId] = [newId('usr'), newId('acct')]
  await db.user.create({ data: { id: ownerId, name: 'free', email: `${ownerId}@example.com` } })
  await db.account.create({ data: { id: accountId, name: 'free', ownerId } })
  await db.$transaction((tx) => grantCredits(tx, accountId))
  return accountId
}
