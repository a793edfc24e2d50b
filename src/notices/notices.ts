import { dayMs } from '../core/durations.ts'
import type { Database } from '../store/database.ts'
import { isNoticeKind, knownKinds, noticeKinds, type RenderedNotice } from './kinds.ts'

/** Older notices are not mailed when mail works again after an outage. */
const mailedWithinDays = 3

/** Unmailed notices of accounts with an owner, oldest first. */
export async function findUnmailedNotices(db: Database, limit: number, except: readonly string[] = []) {
  return db.notice.findMany({
    where: {
      id: { notIn: [...except] },
      mailedAt: null,
      kind: { in: knownKinds },
      createdAt: { gt: new Date(Date.now() - mailedWithinDays * dayMs) },
      account: { owner: { emailVerified: true } },
    },
    orderBy: { createdAt: 'asc' },
    take: limit,
    select: { id: true, kind: true, data: true, account: { select: { owner: { select: { email: true } } } } },
  })
}

export async function markMailed(db: Database, id: string): Promise<void> {
  await db.notice.updateMany({ where: { id, mailedAt: null }, data: { mailedAt: new Date() } })
}

const noticeLifetimeMs = 365 * dayMs

/** Deletes up to `limit` old notices, and returns their number. */
export async function deleteOldNotices(db: Database, limit: number): Promise<number> {
  const before = { lt: new Date(Date.now() - noticeLifetimeMs) }
  // The index begins with the time of the mail.
  const { count } = await db.notice.deleteMany({
    where: { OR: [{ mailedAt: before }, { mailedAt: null, createdAt: before }] },
    limit,
  })
  return count
}

/** An account's notices, newest first. */
export async function listNotices(db: Database, accountId: string, limit: number) {
  return db.notice.findMany({
    where: { accountId, kind: { in: knownKinds } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  })
}

export function renderNotice({ kind, data }: { readonly kind: string; readonly data: unknown }): RenderedNotice {
  if (!isNoticeKind(kind)) throw new Error(`no notice of the kind ${kind}`)
  return noticeKinds[kind].render(data)
}
