import { grantCredits } from '../billing/credits.ts'
import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import type { Database } from '../db/database.ts'
import { findKeptSuspension, mailboxHashes } from './suspension.ts'

interface OwnAccountDependencies {
  readonly db: Database
  readonly config: SigningConfig
}

const noSuspension = { mailbox: null, reason: null }

/**
 * The id of the user's account. The first call creates it, once even for simultaneous calls; it is suspended if an earlier account
 * of the mailbox was. A sign-in grants its free credits. Throws `sign_in_required` if the user was deleted meanwhile.
 */
export async function ensureOwnAccount({ db, config }: OwnAccountDependencies, ownerId: string): Promise<string> {
  const existing = await findOwnAccount(db, ownerId)
  if (existing) return existing
  const user = await db.user.findUnique({ where: { id: ownerId }, select: { email: true } })
  if (!user) throw new ServiceError('sign_in_required')
  await db.$transaction(async (tx) => {
    const { mailbox, reason } = (await findKeptSuspension(tx, mailboxHashes(config, user.email))) ?? noSuspension
    // Waits for the end of a deletion that has the user's row.
    await tx.$executeRaw`
      INSERT INTO accounts (id, name, owner_id, suspended_at, suspended_reason, suspended_mailbox)
      SELECT ${newId('acct')}, name, id, CASE WHEN ${mailbox}::text IS NOT NULL THEN now() END, ${reason}::text, ${mailbox}::text
      FROM users WHERE id = ${ownerId} FOR KEY SHARE
      ON CONFLICT DO NOTHING`
  })
  const made = await findOwnAccount(db, ownerId)
  if (!made) throw new ServiceError('sign_in_required')
  return made
}

async function findOwnAccount(db: Database, ownerId: string): Promise<string | undefined> {
  const account = await db.account.findUnique({ where: { ownerId }, select: { id: true } })
  return account?.id
}

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
