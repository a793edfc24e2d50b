import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { type Credential, isKeyEnded } from '../../src/store/keys.ts'
import { acquireWaitSlot, holdsWaitSlot, releaseWaitSlot } from '../../src/store/open-waits.ts'
import type { ApiContext } from './context.ts'

/** A broken listening connection misses announcements, so the row is also read at this interval. */
const rereadMilliseconds = 2_000
/** Most jobs end within it. Waits that are this short take no slot: the limit of requests bounds their number. */
const briefMilliseconds = 1_000

type Waiter = Pick<Credential, 'accountId' | 'keyId' | 'expiresAt'>

export type LongPollContext = Pick<ApiContext, 'config' | 'db' | 'jobEndListener' | 'closing' | 'background'>

/**
 * Returns the row when it is done, or the current row when the time is over, the client disconnects, the server closes or
 * newer waits of the account take its wait slot. Throws `invalid_api_key` when its key is revoked or expires.
 */
export async function longPoll<Row>(
  context: LongPollContext,
  { waiter, signal, ...wait }: WaitUntilInput<Row> & { readonly waiter: Waiter },
): Promise<Row> {
  const { read, milliseconds } = wait
  if (milliseconds === 0) return read()
  return withWaitSlot(context, { waiter, milliseconds, afterMilliseconds: briefMilliseconds }, (givenUp) =>
    waitUntil(context, { ...wait, signal: AbortSignal.any([signal, givenUp]) }),
  )
}

interface WaitSlotInput {
  readonly waiter: Waiter
  /** The maximum duration of the wait. */
  readonly milliseconds: number
  /** How long the wait may last without a slot. */
  readonly afterMilliseconds: number
}

/**
 * Runs the wait in a wait slot of the account. `givenUp` aborts when newer waits take the slot, or the waiter's key is revoked
 * or expires; the wait must then end. Throws `invalid_api_key` for the latter.
 */
export async function withWaitSlot<T>(
  { config, db, background, jobEndListener }: Omit<LongPollContext, 'closing'>,
  { waiter, milliseconds, afterMilliseconds }: WaitSlotInput,
  wait: (givenUp: AbortSignal) => Promise<T>,
): Promise<T> {
  const id = newId('wait')
  const givenUp = new AbortController()
  const over = new AbortController()
  const validMilliseconds = (waiter.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()
  // A timer that fires a moment early would find the key still valid. Timers of more than 24 days fire immediately.
  const expiry = validMilliseconds < milliseconds ? setTimeout(() => givenUp.abort(), validMilliseconds + 1) : undefined
  const announcement = () => jobEndListener.next(id, milliseconds, over.signal)
  const watch = async (announced: Promise<void>): Promise<void> => {
    await announced
    if (over.signal.aborted) return
    // Waits also wake when an announcement may have been missed, so this checks the slot.
    if (await holdsWaitSlot(db, id).catch(() => true)) return watch(announcement())
    givenUp.abort()
  }
  const takeSlot = async () => {
    // Subscribes before taking the slot, because the slot may be lost right after.
    const announced = announcement()
    const { accountId, keyId } = waiter
    const limit = config.OPEN_WAITS_PER_ACCOUNT
    if (await acquireWaitSlot(db, { id, accountId, keyId, limit, milliseconds })) background.run(watch(announced))
    else givenUp.abort()
  }
  let taken: Promise<void> | undefined
  const later = setTimeout(() => {
    // A wait whose slot cannot be taken is not counted.
    taken ??= takeSlot().catch(() => {})
    background.run(taken)
  }, afterMilliseconds)
  try {
    if (afterMilliseconds === 0) {
      taken = takeSlot()
      await taken
    }
    const outcome = await Promise.allSettled([wait(givenUp.signal)])
    if (givenUp.signal.aborted && (await isKeyEnded(db, waiter))) throw new ServiceError('invalid_api_key')
    if (outcome[0].status === 'rejected') throw outcome[0].reason
    return outcome[0].value
  } finally {
    clearTimeout(expiry)
    clearTimeout(later)
    over.abort()
    // A slot that cannot be deleted now expires at the latest end of the wait.
    const release = () => releaseWaitSlot(db, id).catch(() => {})
    if (taken) background.run(taken.then(release, release))
  }
}

export interface WaitUntilInput<Row> {
  /** The id of the job or run, by which its end is announced. */
  readonly id: string
  readonly read: () => Promise<Row>
  readonly isDone: (row: Row) => boolean
  readonly milliseconds: number
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** Returns the row when it is done, or the current row when the time is over, the client disconnects or the server closes. */
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
      // Subscribes before the read, so that an end between the two is not missed.
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

/** Aborts when the client disconnects before it has the whole response. The signal of a request with a body would fire at the body's end. */
export function abortOnDisconnect({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort()
  })
  return left.signal
}
