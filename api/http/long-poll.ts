import type { FastifyReply } from 'fastify'
import type { ApiContext } from './context.ts'
import { type WaitSlotContext, type WaitSlotInput, withWaitSlot } from './wait-slot.ts'

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
