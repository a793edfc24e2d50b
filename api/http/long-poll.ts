import { acquireWaitSlot, releaseWaitSlot } from '../../src/store/open-waits.ts'
import type { ApiContext } from './context.ts'

/** Announcements can be missed (a broken listening connection), so the row is read again this often. */
const rereadMilliseconds = 2_000

export interface WaitUntilInput<Row> {
  /** What the announcement names. */
  readonly id: string
  readonly read: () => Promise<Row>
  readonly isDone: (row: Row) => boolean
  readonly milliseconds: number
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
}

/** The row when it is done, or as it is when the time is up, the client leaves or the server closes. */
export async function waitUntil<Row>(
  { jobEndListener, closing }: Pick<ApiContext, 'jobEndListener' | 'closing'>,
  { id, read, isDone, milliseconds, signal }: WaitUntilInput<Row>,
): Promise<Row> {
  const deadline = Date.now() + milliseconds
  const given = new AbortController()
  const giveUp = () => given.abort()
  const signals = [closing, signal]
  for (const each of signals) each.addEventListener('abort', giveUp)
  if (signals.some((each) => each.aborted)) giveUp()
  try {
    for (;;) {
      const left = deadline - Date.now()
      // Subscribed before the read: an end between the two is not missed.
      const announced = jobEndListener.next(id, Math.max(0, Math.min(left, rereadMilliseconds)), given.signal)
      const row = await read()
      if (isDone(row) || left <= 0 || given.signal.aborted) return row
      await announced
    }
  } finally {
    for (const each of signals) each.removeEventListener('abort', giveUp)
    giveUp()
  }
}

/** Waits as one of the account's open waits; undefined, without waiting, where it has as many as it may. */
export async function withWaitSlot<T>(
  { config, db, background }: Pick<ApiContext, 'config' | 'db' | 'background'>,
  { accountId, milliseconds }: { readonly accountId: string; readonly milliseconds: number },
  wait: () => Promise<T>,
): Promise<T | undefined> {
  const id = await acquireWaitSlot(db, { accountId, limit: config.OPEN_WAITS_PER_ACCOUNT, milliseconds })
  if (id === undefined) return undefined
  try {
    return await wait()
  } finally {
    // What cannot be deleted now counts no longer than the wait could have lasted.
    background.run(releaseWaitSlot(db, id).catch(() => {}))
  }
}
