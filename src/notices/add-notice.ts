import { newId } from '../core/ids.ts'
import type { Transaction } from '../store/database.ts'
import type { NoticeData, NoticeKind } from './kinds.ts'

export interface NewNotice<Kind extends NoticeKind> {
  readonly accountId: string
  readonly kind: Kind
  /** Identifies a notice of its kind: a second notice with the same key is not written. */
  readonly key: string
  readonly data: NoticeData<Kind>
}

/** Adds a notice, once, in the transaction of the change that it reports. It is listed, and upkeep mails it. */
export async function addNotice<Kind extends NoticeKind>(
  tx: Transaction,
  { accountId, kind, key, data }: NewNotice<Kind>,
): Promise<void> {
  await tx.notice.createMany({ data: [{ id: newId('ntc'), accountId, kind, key, data }], skipDuplicates: true })
}
