import { newId } from '../core/ids.ts'
import type { Transaction } from '../store/database.ts'
import type { NoticeData, NoticeKind } from './kinds.ts'

export interface NewNotice<Kind extends NoticeKind> {
  readonly accountId: string
  readonly kind: Kind
  /** Tells notices of the kind apart: a second one with the same key is not written. */
  readonly key: string
  readonly data: NoticeData<Kind>
}

/** Tells the account something, once: it is committed with what it tells, listed, and mailed by upkeep. */
export async function addNotice<Kind extends NoticeKind>(
  tx: Transaction,
  { accountId, kind, key, data }: NewNotice<Kind>,
): Promise<void> {
  await tx.notice.createMany({ data: [{ id: newId('ntc'), accountId, kind, key, data }], skipDuplicates: true })
}
