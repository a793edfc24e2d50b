import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Database } from '../store/database.ts'

export interface Owner {
  readonly id: string
  readonly name: string
}

/**
 * The id of the user's account. The first call creates it, once even for simultaneous calls. A sign-in grants its free credits.
 * Throws `sign_in_required` if the user was deleted since its session was read.
 */
export async function ensureOwnAccount(db: Database, { id: ownerId, name }: Owner): Promise<string> {
  const existing = await findOwnAccount(db, ownerId)
  if (existing) return existing
  // Waits for the end of a deletion that has the user's row.
  await db.$executeRaw`
    INSERT INTO accounts (id, name, owner_id)
    SELECT ${newId('acct')}, ${name}, id FROM users WHERE id = ${ownerId} FOR KEY SHARE
    ON CONFLICT DO NOTHING`
  const made = await findOwnAccount(db, ownerId)
  if (!made) throw new ServiceError('sign_in_required')
  return made
}

async function findOwnAccount(db: Database, ownerId: string): Promise<string | undefined> {
  const account = await db.account.findUnique({ where: { ownerId }, select: { id: true } })
  return account?.id
}
