import { sleep } from '@temporalio/workflow'
import { type Deferral, isDeferral } from '../src/core/deferral.ts'

/** Long enough that days of waiting fit into a history, with 11 events a round. */
const maxPauseSeconds = 60

/**
 * Runs an activity until it is not deferred. Each pause is a quarter of the time waited so far, so that a slot that frees early is
 * taken early and one that frees late costs few rounds.
 */
export async function untilNotDeferred<Result>(
  activity: (turn: number) => Promise<Result | Deferral>,
): Promise<Result> {
  let turn = 0
  let waitedSeconds = 0
  for (;;) {
    const result = await activity(turn)
    if (!isDeferral(result)) return result
    if (result.deferred === 'slow_source' || result.deferred === 'long_work') turn += 1
    const pauseSeconds = Math.min(Math.max(1, waitedSeconds / 4), maxPauseSeconds)
    await sleep(pauseSeconds * 1000)
    waitedSeconds += pauseSeconds
  }
}
