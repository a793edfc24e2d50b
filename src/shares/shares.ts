import { isOfApprovedClient } from '../accounts/credentials.ts'
import { hashOf, isEndedKey } from '../accounts/keys.ts'
import { assertMayCreate } from '../accounts/suspension.ts'
import { ServiceError } from '../core/errors.ts'
import { isId, newId, randomText } from '../core/ids.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import type { Prisma } from '../db/generated/client.ts'
import type { ShareModel } from '../db/generated/models.ts'

/** Without the hash of its token. */
type Share = Omit<ShareModel, 'tokenHash'>

const withoutHash = { omit: { tokenHash: true } } as const

/** The maximum number of an account's shares that have not ended. */
export const maxShares = 100

/** 131 random bits. */
const tokenLength = 22
const tokenPattern = /^[a-zA-Z0-9]{22}$/

interface NewShare
  extends Pick<Share, 'accountId' | 'apiKeyId' | 'subjectId' | 'work' | 'expiresAt'>,
    Pick<Share, 'allowDownload' | 'allowEmbed' | 'includeSource' | 'includeTranscript'> {}

export interface ShareWithToken {
  readonly share: Share
  readonly token: string
}

/** Shares that have not ended. */
function notEnded(): Pick<Prisma.ShareWhereInput, 'expiresAt'> {
  return { expiresAt: { gt: new Date() } }
}

/**
 * Only this returns the token. The share ends no later than its key. Throws `conflict` if the account has as many shares as it may, and
 * `invalid_api_key` if the key was revoked or has expired meanwhile.
 */
export async function createShare(db: Database, wanted: NewShare): Promise<ShareWithToken> {
  const { accountId, apiKeyId } = wanted
  const token = randomText(tokenLength)
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    const keyEnd = apiKeyId === null ? null : await endOfKey(tx, apiKeyId)
    const expiresAt = keyEnd && keyEnd < wanted.expiresAt ? keyEnd : wanted.expiresAt
    if ((await tx.share.count({ where: { accountId, ...notEnded() } })) >= maxShares)
      throw new ServiceError('conflict', `An account has at most ${maxShares} shares. Revoke one first.`)
    const data = { ...wanted, expiresAt, id: newId('shr'), tokenHash: hashOf(token) }
    return { share: await tx.share.create({ data, ...withoutHash }), token }
  })
}

/** Null for a key that never expires. The caller holds the account's row lock, so that the key's revocation deletes what is created now. */
async function endOfKey(tx: Transaction, keyId: string): Promise<Date | null> {
  const key = await tx.apiKey.findUnique({ where: { id: keyId } })
  if (!key || isEndedKey(key)) throw new ServiceError('invalid_api_key')
  return key.expiresAt
}

/** A share with the scope of its key: nobody can share what they cannot read. */
export type OpenedShare = Share & { readonly scope: string }

/**
 * The share of a token, as anybody may open it. Null for one that is wrong or has ended, of what was deleted, by a connector whose OAuth
 * client is not among the approved ones, and of an account that is suspended or deleted.
 */
export async function findSharedBy(
  db: Database,
  token: string,
  approvedClientIds: readonly string[],
): Promise<OpenedShare | null> {
  if (!tokenPattern.test(token)) return null
  const account = { deletedAt: null, suspendedAt: null }
  const found = await db.share.findUnique({
    where: { tokenHash: hashOf(token), ...notEnded(), account },
    include: { apiKey: { select: { id: true, scope: true } } },
    ...withoutHash,
  })
  if (!found || !(await isThere(db, found.subjectId))) return null
  const { apiKey: key, ...share } = found
  if (key && !(await isOfApprovedClient(db, key.id, approvedClientIds))) return null
  return { ...share, scope: key?.scope ?? 'all' }
}

/** A share that was created while its job or run was being deleted is left behind. */
async function isThere(db: Database, subjectId: string): Promise<boolean> {
  const where = { id: subjectId, deletedAt: null }
  return (isId('run', subjectId) ? await db.workflowRun.count({ where }) : await db.job.count({ where })) > 0
}

/** A share with the name of what it shows. */
export type ListedShare = Share & { readonly mediaName: string | null }

/** The shares of an account that have not ended, newest first. `works` are the endpoints and chains that the reader may see. */
export async function listShares(db: Database, accountId: string, works: readonly string[]): Promise<ListedShare[]> {
  const shares = await db.share.findMany({
    where: { accountId, work: { in: [...works] }, ...notEnded() },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    ...withoutHash,
  })
  const named = {
    where: { id: { in: shares.map(({ subjectId }) => subjectId) }, deletedAt: null },
    select: { id: true, mediaName: true },
  }
  const subjects = [...(await db.job.findMany(named)), ...(await db.workflowRun.findMany(named))]
  const names = new Map(subjects.map(({ id, mediaName }) => [id, mediaName]))
  return shares.map((share) => ({ ...share, mediaName: names.get(share.subjectId) ?? null }))
}

/** Throws `not_found` if the account has no such share of these endpoints and chains. */
export async function revokeShare(
  db: Database,
  accountId: string,
  id: string,
  works: readonly string[],
): Promise<void> {
  // PostgreSQL refuses some texts.
  const where = { id: isId('shr', id) ? id : '', accountId, work: { in: [...works] } }
  const { count } = await db.share.deleteMany({ where })
  if (count === 0) throw new ServiceError('not_found', 'This account has no share with this id. Check the id.')
}

/** Deletes up to `limit` shares that have ended, and returns their number. */
export async function deleteOldShares(db: Database, now: Date, limit: number): Promise<number> {
  const { count } = await db.share.deleteMany({ where: { expiresAt: { lte: now } }, limit })
  return count
}

/** Of a deleted account. */
export async function forgetShares(tx: Transaction, accountId: string): Promise<void> {
  await tx.share.deleteMany({ where: { accountId } })
}
