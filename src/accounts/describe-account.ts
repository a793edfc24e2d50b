import { readLimits } from '../billing/limits.ts'
import { toUsd } from '../core/money.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import type { Database } from '../db/database.ts'
import type { Prisma } from '../db/generated/client.ts'
import { readStoredBytes, storageLimitsOf } from '../uploads/storage-limits.ts'
import { countKeys, notEnded, publicPart } from './keys.ts'
import { mailboxHashes } from './suspension.ts'

/** The most that a search returns. */
const maxFoundAccounts = 50

/** What lists of accounts show of each. */
const foundAccountColumns = {
  ...{ id: true, name: true, createdAt: true, suspendedAt: true, deletedAt: true },
  owner: { select: { email: true } },
} satisfies Prisma.AccountSelect

type FoundAccount = ReturnType<typeof presentFoundAccount>

type FoundAccountRow = Prisma.AccountGetPayload<{ readonly select: typeof foundAccountColumns }>

function presentFoundAccount({ id, name, owner, createdAt, suspendedAt, deletedAt }: FoundAccountRow) {
  return {
    account_id: id,
    name,
    email: owner?.email ?? null,
    created_at: createdAt,
    suspended_at: suspendedAt,
    deleted_at: deletedAt,
  }
}

/** Accounts by a part of their name or of the owner's email address, or by the id of the account, its owner, or one of its keys, connectors, jobs, runs or uploads. */
export async function findAccounts(db: Database, text: string) {
  const accounts = await db.account.findMany({
    where: matching(text),
    orderBy: { createdAt: 'desc' },
    take: maxFoundAccounts,
    select: foundAccountColumns,
  })
  return accounts.map(presentFoundAccount)
}

function matching(text: string): Prisma.AccountWhereInput {
  // LIKE reads _ and % as any characters.
  const part = text.replace(/[\\%_]/g, '\\$&')
  const email = { contains: part.toLowerCase() }
  const name = { contains: part, mode: 'insensitive' } as const
  if (text.includes('@')) return { OR: [{ owner: { email } }, { name }] }
  const id = text.replace(/^mt_live_([a-zA-Z0-9]{24}).*$/, 'key_$1').replace(/^mt_con_([a-zA-Z0-9]{24}).*$/, 'con_$1')
  const one = { some: { id } }
  return {
    OR: [
      { owner: { email } },
      { name },
      { id },
      { ownerId: id },
      { keys: one },
      { jobs: one },
      { runs: one },
      { uploads: one },
    ],
  }
}

/** The most entries and open jobs that a description lists. */
const maxListed = 10

/** The keys and connectors of an account that have not ended, the last used first, without their secrets. */
export async function describeCredentials(db: Database, accountId: string) {
  const keys = await db.apiKey.findMany({
    where: { accountId, ...notEnded() },
    orderBy: [{ lastUsedAt: { sort: 'desc', nulls: 'last' } }, { createdAt: 'desc' }],
    omit: { secretHash: true },
  })
  return keys.map(({ id, name, scope, monthlyCapMicroUsd: cap, lastUsedAt, ...key }) => ({
    ...{ id, name, prefix: publicPart({ id }), scope },
    monthly_cap_usd: cap === null ? null : toUsd(cap),
    created_at: key.createdAt,
    last_used_at: lastUsedAt,
    expires_at: key.expiresAt,
  }))
}

interface DescribeContext {
  readonly db: Database
  readonly config: Parameters<typeof storageLimitsOf>[0]
}

/** What an operator sees of an account: status, money, keys, open jobs, stored uploads, and what operators wrote to its ledger. */
export async function describeAccount({ db, config }: DescribeContext, accountId: string) {
  const { account, month, captured, held } = await readLimits(db, accountId)
  const open = { accountId, endedAt: null }
  const [owner, keys, connectors, waiting, queued, running, storage, entries] = await Promise.all([
    account.ownerId === null ? null : db.user.findUnique({ where: { id: account.ownerId } }),
    countKeys(db, accountId, 'key'),
    countKeys(db, accountId, 'con'),
    db.job.count({ where: { ...open, admittedAt: null } }),
    db.job.count({ where: { ...open, admittedAt: { not: null }, status: 'queued' } }),
    db.job.count({ where: { ...open, status: 'running' } }),
    readStoredBytes(db, account, storageLimitsOf(config)),
    db.ledgerEntry.findMany({
      where: { accountId, step: { startsWith: 'operator/' } },
      orderBy: { createdAt: 'desc' },
      take: maxListed,
    }),
  ])
  const {
    id,
    name,
    createdAt,
    deletedAt,
    suspendedAt,
    suspendedReason,
    billingStatus,
    monthlyCapMicroUsd: cap,
  } = account
  return {
    account_id: id,
    name,
    email: owner?.email ?? null,
    created_at: createdAt,
    deleted_at: deletedAt,
    suspended_at: suspendedAt,
    suspended_reason: suspendedReason,
    billing_status: billingStatus,
    credits_left_usd: toUsd(account.creditMicroUsd),
    held_usd: toUsd(account.heldMicroUsd),
    billed_usd: toUsd(account.billedMicroUsd),
    monthly_cap_usd: cap === null ? null : toUsd(cap),
    month,
    spent_in_month_usd: toUsd(captured),
    held_in_month_usd: toUsd(held),
    keys,
    connectors,
    jobs: { waiting, queued, running },
    stored_bytes: storage.stored,
    max_stored_bytes: storage.limit,
    operator_entries: entries.map((entry) => ({
      at: entry.createdAt,
      kind: entry.kind,
      credits_usd: toUsd(entry.creditMicroUsd),
      billed_usd: toUsd(entry.billableMicroUsd),
      reason: entry.reason,
    })),
  }
}

/** More than accounts have with the default limits. */
const maxListedJobs = 2_000

/** The open jobs of an account, the oldest first. `waiting`: for a slot of the account, so that Temporal does not have the job yet. */
export async function listOpenJobs(db: Database, accountId: string) {
  const jobs = await db.job.findMany({
    where: { accountId, endedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxListedJobs,
    select: { id: true, runId: true, endpoint: true, status: true, admittedAt: true, createdAt: true },
  })
  return jobs.map(({ id, runId, endpoint, status, admittedAt, createdAt }) => ({
    ...{ job_id: id, run_id: runId, endpoint },
    status: admittedAt === null ? 'waiting' : status,
    created_at: createdAt,
  }))
}

/** Requests that the waiting jobs of an account end. Returns their number. */
export async function cancelWaitingJobs(db: Database, accountId: string): Promise<number> {
  const { count } = await db.job.updateMany({
    where: { accountId, endedAt: null, admittedAt: null, cancelRequestedAt: null },
    data: { cancelRequestedAt: new Date() },
  })
  return count
}

interface SameMailboxDependencies {
  readonly db: Database
  readonly config: SigningConfig
}

const readTogether = 10_000

/**
 * The other open accounts whose owner has or had a mailbox that the account covers. Only hashes of former mailboxes are kept, so
 * this reads the address of every owner.
 */
export async function findSameMailboxes(
  { db, config }: SameMailboxDependencies,
  accountId: string,
): Promise<FoundAccount[]> {
  const { coveredMailboxes, suspendedMailbox } = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  const covered = new Set([...coveredMailboxes, ...(suspendedMailbox ? [suspendedMailbox] : [])])
  const found: FoundAccount[] = []
  let after = ''
  for (;;) {
    const accounts = await db.account.findMany({
      where: { id: { gt: after, not: accountId }, ownerId: { not: null } },
      orderBy: { id: 'asc' },
      take: readTogether,
      select: { ...foundAccountColumns, coveredMailboxes: true },
    })
    for (const account of accounts) {
      const present = account.owner ? mailboxHashes(config, account.owner.email) : []
      if ([...present, ...account.coveredMailboxes].some((mailbox) => covered.has(mailbox)))
        found.push(presentFoundAccount(account))
    }
    const last = accounts.at(-1)
    if (!last) return found
    after = last.id
  }
}
