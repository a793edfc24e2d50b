import { sleep, workflowInfo } from '@temporalio/workflow'

/** A longer sleep would keep an old version of the workers running: upkeep starts the workflow again. */
const maxSleepMs = 30_000
/** A turn takes two seconds or 45; the history stays short. */
const maxTurns = 200

/** Takes turns until nothing is due soon. Each returns when something is due again: undefined if nothing is. */
export async function whileDue(turn: () => Promise<{ readonly nextInMs?: number }>): Promise<void> {
  for (let turns = 0; turns < maxTurns; turns += 1) {
    const { nextInMs } = await turn()
    if (nextInMs === undefined || nextInMs > maxSleepMs || workflowInfo().targetWorkerDeploymentVersionChanged) return
    if (nextInMs > 0) await sleep(nextInMs)
  }
}
