import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { grantCredits } from '../../src/billing/credits.ts'
import { newId } from '../../src/core/ids.ts'
import type { Database } from '../../src/store/database.ts'

/** Opens an account as its owner does by signing up: with the free credits, and without billing. */
export async function openFreeAccount(db: Database): Promise<string> {
  const id = newId('usr')
  const user = await db.user.create({ data: { id, name: 'free', email: `${id}@example.com` } })
  const accountId = await ensureOwnAccount(db, user)
  await db.$transaction((tx) => grantCredits(tx, accountId))
  return accountId
}
