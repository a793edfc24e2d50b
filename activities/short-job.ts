import { isDeferral } from '../src/core/deferral.ts'
import { getJob } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { type FinishResult, finishJob } from './finish.ts'
import { holdPrice } from './hold.ts'
import { type InspectResult, inspectJob } from './inspect.ts'
import { runJob } from './run.ts'
import { deferLongWork } from './short-work.ts'
import { whileBeating } from './worker/heartbeat.ts'

export interface InspectAndRunInput {
  readonly jobId: string
}

export type InspectAndRunResult = InspectResult & {
  /** Whether the hold is fitted and the draft is recorded, so that at most finish is left. */
  readonly isRun?: boolean
  /** What finish returned. Undefined if it is left to the workflow, as in results of earlier versions. */
  readonly finished?: FinishResult
}

/**
 * Inspects the media, and if the run is expected to be short, also holds the price, runs and finishes: the activities cost as much
 * processor time as the work of a short job. `limitSignal` ends work that is not short, which the workflow continues with separate
 * activities.
 */
export async function inspectAndRun(
  deps: Dependencies,
  { jobId }: InspectAndRunInput,
  limitSignal: AbortSignal,
): Promise<InspectAndRunResult> {
  const inspected = await inspectJob(deps, await getJob(deps.db, jobId), limitSignal)
  if (inspected.jobEnded || !inspected.isShort) return inspected
  await whileBeating(() => holdPrice(deps, { jobId }))
  const ran = await deferLongWork(() => runJob(deps, { jobId }, limitSignal), limitSignal)
  if (isDeferral(ran)) return { ...inspected, isShort: false }
  // The workflow retries for as long as the database does not answer, and this activity only a few times.
  const finished = await whileBeating(() => finishJob(deps, { jobId })).catch((error: unknown) => {
    deps.logger.warn({ err: error, jobId }, 'the end of the job is left to its workflow')
  })
  return { ...inspected, isRun: true, ...(finished && { finished }) }
}
