import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { unlessAborted, withTimeout } from '../../src/core/abortable.ts'
import type { Deferral } from '../../src/core/deferral.ts'
import { isUnreachable } from '../../src/store/database.ts'
import type { Dependencies } from '../dependencies.ts'
import type { TurnInput } from '../source/slots.ts'
import { whileBeating } from './heartbeat.ts'

/** Less than the shortest time limit of an activity of jobs, so that most outages end before the activity does. */
const waitLimits = { pauseMilliseconds: 2_000, maxMilliseconds: 300_000 }
/** A connection can stay open without an answer. */
const maxPingMilliseconds = 5_000

interface Outage extends Pick<Dependencies, 'logger'> {
  /** Fails while the database gives no answer. */
  readonly ping: () => Promise<void>
}

/**
 * Runs an activity. If it fails because the database gives no answer, it fails only after the database is back: an outage then
 * spends one of its attempts. A longer outage defers it, which spends none. It keeps its task slot, because other work could do
 * nothing with it either. A statement that took too long in a database that answers fails at once.
 */
export async function outlastOutage<T>(
  { ping, logger }: Outage,
  { turn }: TurnInput,
  work: () => Promise<T>,
  { pauseMilliseconds, maxMilliseconds } = waitLimits,
): Promise<T | Deferral> {
  try {
    return await work()
  } catch (error) {
    const { cancellationSignal: signal } = Context.current()
    if (!isUnreachable(error)) throw error
    const isBack = await whileBeating(async () => {
      const endsAt = performance.now() + maxMilliseconds
      for (let pings = 1; performance.now() < endsAt && !signal.aborted; pings += 1) {
        if (await answers(ping, signal)) return true
        if (pings === 1) logger.warn({ err: error }, 'no database; an activity waits for it')
        await sleep(pauseMilliseconds, undefined, { signal }).catch(() => {})
      }
      return false
    })
    if (isBack || turn === undefined || signal.aborted) throw error
    return { deferred: 'no_database' }
  }
}

async function answers(ping: Outage['ping'], signal: AbortSignal): Promise<boolean> {
  const answer = withTimeout(ping(), maxPingMilliseconds, () => new Error('the database does not answer'))
  return unlessAborted(answer, signal).then(
    () => true,
    () => false,
  )
}
