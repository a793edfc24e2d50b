import { ServiceError } from '../core/errors.ts'
import { type AccountStanding, type Database, lockAccount, type Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'

interface SuspendAccountInput {
  readonly accountId: string
  readonly reason: string
  readonly hashMailbox: (email: string) => string
}

/**
 * From now on the account creates no job, upload, estimate or key. Repeating it keeps the time, and adds the reason to the earlier
 * ones. `hashMailbox` hashes the mailbox of its owner's address.
 */
export async function suspendAccount(
  db: Database,
  { accountId, reason, hashMailbox }: SuspendAccountInput,
): Promise<void> {
  await db.$transaction(async (tx) => {
    // Waits for a job that is being accepted.
    await lockAccount(tx, accountId)
    const { suspendedAt, suspendedReason, deletedAt, coveredMailboxes, owner } = await tx.account.findUniqueOrThrow({
      where: { id: accountId },
      include: { owner: { select: { email: true } } },
    })
    if (deletedAt) throw new Error(`${accountId} is deleted: use suspend-mailbox, with the address of its owner`)
    const mailboxes = new Set([...coveredMailboxes, ...(owner ? [hashMailbox(owner.email)] : [])])
    await lockMailboxes(tx, [...mailboxes])
    const data = {
      suspendedAt: suspendedAt ?? new Date(),
      suspendedReason: addReason(suspendedReason, reason),
      coveredMailboxes: [...mailboxes],
    }
    await tx.account.update({ where: { id: accountId }, data })
  })
}

function addReason(earlier: string | null, reason: string): string {
  const reasons = earlier?.split(reasonSeparator) ?? []
  return reasons.includes(reason) ? reasons.join(reasonSeparator) : [...reasons, reason].join(reasonSeparator)
}

const reasonSeparator = '; '

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

interface EndedSuspension {
  readonly accountId: string
  readonly suspendedAt: Date
  readonly suspendedReason: string | null
}

/**
 * Upkeep starts the jobs that waited. Also ends what deleted accounts of its mailboxes left behind. Returns the suspensions that it
 * ended, of which nothing stays. Throws if there is none.
 */
export async function resumeAccount(db: Database, accountId: string): Promise<EndedSuspension[]> {
  const mailboxes = Prisma.sql`array_append(covered_mailboxes, suspended_mailbox)`
  const ended = await db.$queryRaw<EndedSuspension[]>`
    WITH earlier AS (
      SELECT id, suspended_at, suspended_reason FROM accounts
      WHERE suspended_at IS NOT NULL AND (id = ${accountId} OR (deleted_at IS NOT NULL
        AND ${mailboxes} && (SELECT ${mailboxes} FROM accounts WHERE id = ${accountId})))
      FOR UPDATE
    )
    UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL, suspended_mailbox = NULL,
      covered_mailboxes = CASE WHEN deleted_at IS NULL THEN covered_mailboxes ELSE '{}' END
    FROM earlier WHERE accounts.id = earlier.id
    RETURNING earlier.id AS "accountId", earlier.suspended_at AS "suspendedAt", earlier.suspended_reason AS "suspendedReason"`
  if (ended.length === 0) throw new Error(`${accountId} is not suspended`)
  return ended
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
