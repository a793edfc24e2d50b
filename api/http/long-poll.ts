import { newId } from '../../src/core/ids.ts'
import { acquireWaitSlot, holdsWaitSlot, releaseWaitSlot } from '../../src/store/open-waits.ts'
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

/** Waits as one of the account's open waits. `givenUp` aborts when newer ones take its place: then answer with what there is. */
export async function withWaitSlot<T>(
  { config, db, background, jobEndListener }: Pick<ApiContext, 'config' | 'db' | 'background' | 'jobEndListener'>,
  { accountId, milliseconds }: { readonly accountId: string; readonly milliseconds: number },
  wait: (givenUp: AbortSignal) => Promise<T>,
): Promise<T> {
  const id = newId('wait')
  const givenUp = new AbortController()
  const over = new AbortController()
  const announcement = () => jobEndListener.next(id, milliseconds, over.signal)
  const watch = async (announced: Promise<void>): Promise<void> => {
    await announced
    if (over.signal.aborted) return
    // Every wait is woken where an announcement may have been missed.
    if (await holdsWaitSlot(db, id).catch(() => true)) return watch(announcement())
    givenUp.abort()
  }
  // Subscribed before the slot is taken: it may be lost right after.
  const announced = announcement()
  try {
    const limit = config.OPEN_WAITS_PER_ACCOUNT
    if (await acquireWaitSlot(db, { id, accountId, limit, milliseconds })) background.run(watch(announced))
    else givenUp.abort()
    return await wait(givenUp.signal)
  } finally {
    over.abort()
    // What cannot be deleted now counts no longer than the wait could have lasted.
    background.run(releaseWaitSlot(db, id).catch(() => {}))
  }
}
