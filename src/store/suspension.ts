import { ServiceError } from '../core/errors.ts'
import { type AccountStanding, type Database, lockAccount, type Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'

interface SuspendAccountInput {
  readonly accountId: string
  readonly reason: string
  readonly hashMailbox: (email: string) => string
}

/**
 * From now on the account creates no job, upload, estimate or key. Repeating it changes the reason. `hashMailbox` hashes the mailbox
 * of its owner's address.
 */
export async function suspendAccount(
  db: Database,
  { accountId, reason, hashMailbox }: SuspendAccountInput,
): Promise<void> {
  await db.$transaction(async (tx) => {
    // Waits for a job that is being accepted.
    await lockAccount(tx, accountId)
    const { suspendedAt, deletedAt, coveredMailboxes, owner } = await tx.account.findUniqueOrThrow({
      where: { id: accountId },
      include: { owner: { select: { email: true } } },
    })
    if (deletedAt) throw new Error(`${accountId} is deleted: use suspend-mailbox, with the address of its owner`)
    const mailboxes = new Set([...coveredMailboxes, ...(owner ? [hashMailbox(owner.email)] : [])])
    await lockMailboxes(tx, [...mailboxes])
    const data = {
      suspendedAt: suspendedAt ?? new Date(),
      suspendedReason: reason,
      coveredMailboxes: [...mailboxes],
    }
    await tx.account.update({ where: { id: accountId }, data })
  })
}

/**
 * Until the transaction ends, no other one suspends an account of these mailboxes, given by their hashes, or opens one: an account
 * is either opened before the suspension, or suspended from its start.
 */
async function lockMailboxes(tx: Transaction, mailboxes: readonly string[]): Promise<void> {
  // In one order, so that two transactions with the same mailboxes do not wait for each other.
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(mailbox, 0)) FROM unnest(${mailboxes.toSorted()}::text[]) AS mailbox`
}

/** While the account is suspended, the next account of the mailbox, given by its hash, is suspended too. */
export async function coverMailbox(tx: Transaction, accountId: string, mailbox: string): Promise<void> {
  await tx.account.updateMany({
    where: { id: accountId, NOT: { coveredMailboxes: { has: mailbox } } },
    data: { coveredMailboxes: { push: mailbox } },
  })
}

/** Suspends the next account of a mailbox, given by its hash, whose account was deleted before it could be suspended. */
export async function suspendMailboxOf(db: Database, accountId: string, mailbox: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockMailboxes(tx, [mailbox])
    const { count } = await tx.account.updateMany({
      where: { id: accountId, deletedAt: { not: null } },
      // The reason would stay with the account, and may name the person.
      data: { suspendedAt: new Date(), suspendedMailbox: mailbox },
    })
    if (count === 0) throw new Error(`${accountId} is not deleted: use suspend`)
  })
}

/** Upkeep starts the jobs that waited. Also ends what deleted accounts of its mailboxes left behind. */
export async function resumeAccount(db: Database, accountId: string): Promise<void> {
  const mailboxes = Prisma.sql`array_append(covered_mailboxes, suspended_mailbox)`
  await db.$executeRaw`
    UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL, suspended_mailbox = NULL,
      covered_mailboxes = CASE WHEN deleted_at IS NULL THEN covered_mailboxes ELSE '{}' END
    WHERE id = ${accountId} OR (deleted_at IS NOT NULL
      AND ${mailboxes} && (SELECT ${mailboxes} FROM accounts WHERE id = ${accountId}))`
}

/**
 * The suspension that a new account of a mailbox, given by its hashes, starts with: that of an
 * account whose owner has, left or had the mailbox. It stays true until the transaction ends, which opens the account.
 */
export async function findKeptSuspension(tx: Transaction, mailboxes: readonly string[]) {
  await lockMailboxes(tx, mailboxes)
  const given = [...mailboxes]
  const left = { suspendedAt: { not: null }, coveredMailboxes: { hasSome: given } }
  const earlier = await tx.account.findFirst({
    where: { OR: [{ suspendedMailbox: { in: given } }, left] },
    select: { id: true, suspendedMailbox: true, coveredMailboxes: true },
  })
  if (!earlier) return null
  const kept = [earlier.suspendedMailbox, ...earlier.coveredMailboxes]
  const mailbox = mailboxes.find((each) => kept.includes(each)) ?? null
  return { mailbox, reason: `${earlier.id}, of the same mailbox, was suspended` }
}

/** Everything that an account creates calls this with the locked account. Throws `account_suspended`, or `invalid_api_key` if it was deleted. */
export function assertMayCreate({
  suspendedAt,
  isAccountDeleted,
}: Pick<AccountStanding, 'suspendedAt' | 'isAccountDeleted'>): void {
  if (suspendedAt) throw new ServiceError('account_suspended')
  if (isAccountDeleted) throw new ServiceError('invalid_api_key')
}
