import type { FastifyReply } from 'fastify'
import {
  acquireWaitSlot,
  type Credential,
  holdsWaitSlot,
  isCredentialEnded,
  releaseWaitSlot,
} from '../../src/accounts/credentials.ts'
import { newId } from '../../src/core/ids.ts'
import { assertCredentialValid } from './authenticate.ts'
import type { ApiContext } from './context.ts'

/** Most jobs end within it. Waits that are this short take no slot: the limit of requests bounds their number. */
const briefMilliseconds = 2_000

export type LongPollContext = WaitSlotContext & Pick<ApiContext, 'closing'>

/**
 * Returns the row when it is done, or the current row when the time is over, the client disconnects, the server closes or
 * newer waits of the account take its wait slot. Throws `invalid_api_key` when its key is revoked or expires.
 */
export async function longPoll<Row>(
  context: LongPollContext,
  { waiter, signal, ...wait }: WaitUntilInput<Row> & Pick<WaitSlotInput, 'waiter'>,
): Promise<Row> {
  const { read, milliseconds } = wait
  if (milliseconds === 0) return read()
  return withWaitSlot(context, { waiter, milliseconds }, async ({ take, givenUp }) => {
    // A wait whose slot cannot be taken is not counted.
    const taking = setTimeout(() => context.background.run(take().catch(() => {})), briefMilliseconds)
    try {
      return await waitUntil(context, { ...wait, signal: AbortSignal.any([signal, givenUp]) })
    } finally {
      clearTimeout(taking)
    }
  })
}

interface WaitUntilInput<Row> {
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
  { announcements, closing }: Pick<ApiContext, 'announcements' | 'closing'>,
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
      const announced = announcements.next(id, Math.max(0, left), given.signal)
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

interface WaitSlotInput {
  readonly waiter: Pick<Credential, 'accountId' | 'keyId' | 'sessionId' | 'expiresAt'>
  /** The maximum duration of the wait. */
  readonly milliseconds: number
}

interface WaitSlot {
  /** Takes the slot, which the oldest wait of the account may lose. The slot is released when the wait has ended. */
  take(): Promise<void>
  /** Aborts when newer waits take the slot, or the waiter's key is revoked or expires; the wait must then end. */
  readonly givenUp: AbortSignal
}

/** A check of the key that failed is repeated after it. */
const repeatMilliseconds = 1_000

type WaitSlotContext = Pick<ApiContext, 'config' | 'db' | 'announcements' | 'background'>

/** Runs a wait that may take a wait slot of the account. Throws `invalid_api_key` if its key is revoked or expires. */
export async function withWaitSlot<T>(
  { config, db, background, announcements }: WaitSlotContext,
  { waiter, milliseconds }: WaitSlotInput,
  wait: (slot: WaitSlot) => Promise<T>,
): Promise<T> {
  const id = newId('wait')
  const givenUp = new AbortController()
  const over = new AbortController()
  const validMilliseconds = (waiter.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()
  // A timer that fires a moment early would find the key still valid. Timers of more than 24 days fire immediately.
  const expiry = validMilliseconds < milliseconds ? setTimeout(() => givenUp.abort(), validMilliseconds + 1) : undefined
  // Waits also wake when an announcement may have been missed, so both watches read the database. This one outlasts the wait, whose end needs no check.
  const watchKey = async (checkAfter = 2 * milliseconds): Promise<void> => {
    await announcements.next(waiter.keyId ?? waiter.sessionId ?? '', checkAfter, over.signal)
    if (over.signal.aborted) return
    const isEnded = await isCredentialEnded(db, waiter).catch(() => undefined)
    if (isEnded) givenUp.abort()
    else await watchKey(isEnded === undefined ? repeatMilliseconds : undefined)
  }
  background.run(watchKey())
  const announcement = () => announcements.next(id, milliseconds, over.signal)
  const watch = async (announced: Promise<void>): Promise<void> => {
    await announced
    if (over.signal.aborted) return
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
  const take = () => {
    taken = takeSlot()
    return taken
  }
  try {
    const [outcome] = await Promise.allSettled([wait({ take, givenUp: givenUp.signal })])
    if (givenUp.signal.aborted) await assertCredentialValid(db, waiter)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  } finally {
    clearTimeout(expiry)
    over.abort()
    // A slot that cannot be deleted now expires at the latest end of the wait.
    const release = () => releaseWaitSlot(db, id).catch(() => {})
    if (taken) background.run(taken.then(release, release))
  }
}
