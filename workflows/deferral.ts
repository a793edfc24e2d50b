import { sleep } from '@temporalio/workflow'
import { type Deferral, isDeferral } from '../src/core/deferral.ts'

/** Long enough that days of waiting fit into a history of at most 50,000 events, with 11 events a round. */
const maxPauseSeconds = 60

/** Decides when an activity that was deferred begins its rounds of a pause and another try. */
type InTurn = <T>(rounds: () => Promise<T>) => Promise<T>

/**
 * Runs an activity until it is not deferred. Each pause is a quarter of the time waited so far, so that a slot that frees early is
 * taken early and one that frees late costs few rounds.
 */
export async function untilNotDeferred<Result>(
  activity: (turn: number) => Promise<Result | Deferral>,
  inTurn: InTurn = (rounds) => rounds(),
): Promise<Result> {
  const first = await activity(0)
  if (!isDeferral(first)) return first
  return inTurn(async () => {
    let turn = 0
    let waitedSeconds = 0
    for (let { deferred } = first; ; ) {
      if (deferred === 'slow_source' || deferred === 'long_work') turn += 1
      const pauseSeconds = Math.min(Math.max(1, waitedSeconds / 4), maxPauseSeconds)
      await sleep(pauseSeconds * 1000)
      waitedSeconds += pauseSeconds
      const result = await activity(turn)
      if (!isDeferral(result)) return result
      ;({ deferred } = result)
    }
  })
}

/**
 * One activity after the other. Rounds of 200 parts side by side would fill a history in 25 minutes of a full disk. In turn, each
 * takes 25 rounds until its pauses are the longest, so that there is room for half a day.
 */
export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (rounds) => {
    const own = last.then(rounds)
    last = own.catch(() => {})
    return own
  }
}
