import { Context } from '@temporalio/activity'
import { unlessAborted, withTimeout } from '../../src/core/abortable.ts'
import { askAgain, succeeds } from '../../src/core/ask-again.ts'
import type { Deferral } from '../../src/core/deferral.ts'
import { isUnreachable } from '../../src/store/database.ts'
import type { Dependencies } from '../dependencies.ts'
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
 * spends one of its attempts. A longer outage defers it, which spends none. It keeps its task slot, because no other work could
 * use it. If the database answers the ping, the activity fails immediately, because only its statement took too long.
 */
export async function outlastOutage<T>(
  { ping, logger }: Outage,
  work: () => Promise<T>,
  limits = waitLimits,
): Promise<T | Deferral> {
  try {
    return await work()
  } catch (error) {
    if (!isUnreachable(error)) throw error
    const isBack = await whileBeating(async (signal) => {
      const late = () => new Error('the database does not answer')
      const ask = () => unlessAborted(withTimeout(ping(), maxPingMilliseconds, late), signal)
      if (await succeeds(ask())) return true
      logger.warn({ err: error }, 'no database; an activity waits for it')
      return succeeds(askAgain(ask, () => true, { ...limits, signal }))
    })
    if (isBack || Context.current().cancellationSignal.aborted) throw error
    return { deferred: 'no_database' }
  }
}
