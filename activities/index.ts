import { createSerialQueue } from '../src/core/concurrency.ts'
import type { Dependencies } from './dependencies.ts'
import { type FinishInput, finishJob, type StartNextInput, startNextQueuedJob } from './finish.ts'
import { type FinishRunInput, finishRun } from './finish-run.ts'
import { type HoldInput, holdPrice } from './hold.ts'
import { type InspectInput, inspectJob } from './inspect.ts'
import { acceptNextJob, type NextJobInput } from './next-job.ts'
import { type EstimateProbeInput, probeForEstimate } from './probe.ts'
import { type ReuseInput, reuseAnalyses } from './reuse.ts'
import { type RunInput, runJob, runStreamed } from './run.ts'
import { createUpkeepActivities } from './upkeep/index.ts'

/** Short activities on rows and Temporal, on the queue of the workflows. */
export function createActivities(deps: Dependencies) {
  return {
    reuse: (input: ReuseInput) => reuseAnalyses(deps, input),
    hold: (input: HoldInput) => holdPrice(deps, input),
    finish: (input: FinishInput) => finishJob(deps, input),
    nextJob: (input: NextJobInput) => acceptNextJob(deps, input),
    finishRun: (input: FinishRunInput) => finishRun(deps, input),
    startNext: (input: StartNextInput) => startNextQueuedJob(deps, input),
    ...createUpkeepActivities(deps),
  }
}

/** Activities that read and make media. */
export function createMediaActivities(deps: Dependencies) {
  return { run: (input: RunInput) => deps.cores.use(() => runJob(deps, input)) }
}

/** Activities that wait for a download, which keeps no core busy. */
export function createSourceActivities(deps: Dependencies) {
  const oneByOne = createSerialQueue()
  return {
    inspect: (input: InspectInput) => inspectJob(deps, input),
    probeMedia: (input: EstimateProbeInput) => probeForEstimate(deps, input),
    run: (input: RunInput) => runStreamed(deps, input, oneByOne),
  }
}

export type Activities = ReturnType<typeof createActivities>
export type MediaActivities = ReturnType<typeof createMediaActivities>
export type SourceActivities = ReturnType<typeof createSourceActivities>
