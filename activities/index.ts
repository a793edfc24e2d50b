import type { Dependencies } from './dependencies.ts'
import { type FinishInput, finishJob } from './finish.ts'
import { type HoldInput, holdPrice } from './hold.ts'
import { type InspectInput, inspectSource } from './inspect.ts'
import { type RunInput, runJob } from './run.ts'
import { resendCancellations, startWaitingJobs } from './upkeep.ts'

/** Short steps on rows and Temporal, on the queue of the workflows. */
export function createActivities(deps: Dependencies) {
  return {
    hold: (input: HoldInput) => holdPrice(deps, input),
    finish: (input: FinishInput) => finishJob(deps, input),
    startWaitingJobs: () => startWaitingJobs(deps),
    resendCancellations: () => resendCancellations(deps),
  }
}

/** Steps that read and make media, on a task queue of their own. */
export function createMediaActivities(deps: Dependencies) {
  return {
    inspect: (input: InspectInput) => inspectSource(deps, input),
    run: (input: RunInput) => runJob(deps, input),
  }
}

export type Activities = ReturnType<typeof createActivities>
export type MediaActivities = ReturnType<typeof createMediaActivities>
