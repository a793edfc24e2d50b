import { sleep } from '@temporalio/workflow'
import { type Deferral, isDeferral } from '../src/temporal/names.ts'

/** With this pause, days of waiting fit into a history of 50,000 events, at 11 events a round. Of several lanes, each pauses as many times longer. */
const maxPauseSeconds = 60

/** Decides when an activity that was deferred begins its rounds of a pause and another try. */
type InTurn = <T>(rounds: () => Promise<T>) => Promise<T>

/**
 * Runs an activity until it is not deferred. Each pause is a quarter of the time waited so far: short waits end soon after a slot is
 * free, and long ones take few rounds.
 */
export async function untilNotDeferred<Result>(
  activity: (turn: number) => Promise<Result | Deferral>,
  { inTurn = (rounds) => rounds(), lanes = 1 }: { readonly inTurn?: InTurn | undefined; readonly lanes?: number } = {},
): Promise<Result> {
  const first = await activity(0)
  if (!isDeferral(first)) return first
  // A round takes five minutes until the database is back, and then all that waited go on side by side.
  const decided: InTurn = first.deferred === 'no_database' ? (rounds) => rounds() : inTurn
  return decided(async () => {
    let turn = 0
    let waitedSeconds = 0
    for (let { deferred } = first; ; ) {
      if (deferred === 'slow_source' || deferred === 'long_work') turn += 1
      const pauseSeconds = Math.min(Math.max(1, waitedSeconds / 4), maxPauseSeconds * lanes)
      await sleep(pauseSeconds * 1000)
      waitedSeconds += pauseSeconds
      const result = await activity(turn)
      if (!isDeferral(result)) return result
      ;({ deferred } = result)
    }
  })
}

/**
 * One activity after the other. While a disk is full, rounds of 200 parts side by side would fill a history in 25 minutes. In turn,
 * each part takes 25 rounds until its pauses are the longest, and the history lasts for half a day.
 */
export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (rounds) => {
    const own = last.then(rounds)
    last = own.catch(() => {})
    return own
  }
}
