import { newId } from '../core/ids.ts'
import type { Database } from '../store/database.ts'

export interface Owner {
  readonly id: string
  readonly name: string
}

/** The id of the user's account. The first call creates it, once even for simultaneous calls. A sign-in grants its free credits. */
export async function ensureOwnAccount(db: Database, { id: ownerId, name }: Owner): Promise<string> {
  const existing = await findOwnAccount(db, ownerId)
  if (existing) return existing
  await db.account.createMany({ data: [{ id: newId('acct'), name, ownerId }], skipDuplicates: true })
  const made = await findOwnAccount(db, ownerId)
  if (!made) throw new Error(`no account of ${ownerId}`)
  return made
}

async function findOwnAccount(db: Database, ownerId: string): Promise<string | undefined> {
  const account = await db.account.findUnique({ where: { ownerId }, select: { id: true } })
  return account?.id
}
