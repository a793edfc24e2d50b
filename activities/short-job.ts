import { Context } from '@temporalio/activity'
import { coversEstimate } from '../src/billing/holds.ts'
import { runBothOrAbort } from '../src/core/abortable.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { openWorkAttempt, recordInspectedStart, recordMediaInfo, withMedia } from '../src/jobs/job-changes.ts'
import { getJob, hasEnded } from '../src/jobs/job-rows.ts'
import { endJob } from '../src/jobs/start-and-end.ts'
import { measureStart } from '../src/telemetry/metrics.ts'
import { isDeferral } from '../src/temporal/names.ts'
import type { Dependencies, JobInput } from './dependencies.ts'
import { type FinishResult, finishJob, finishResult } from './finish.ts'
import {
  estimateOf,
  holdPrice,
  type InspectedJob,
  type InspectResult,
  inspectJob,
  prepareRun,
  readJobMedia,
  timeOf,
} from './inspect.ts'
import { makeDraft } from './run.ts'
import { deferLongWork, isShortWork } from './slots.ts'
import { closeSource, findOnDisk } from './source.ts'
import { boundLostAttempts, openedAttempt } from './worker/lost-attempts.ts'
import { whileBeating } from './worker/run-activity.ts'

export type InspectAndRunResult = InspectResult & {
  /** What finish would return, if the job has ended. */
  readonly finished?: FinishResult
}

/**
 * Inspects the media, and if the run is expected to be short, does the whole job: separate activities cost as much processor time
 * as the work of a short job. `limitSignal` ends work that is not short. A job that this does not end goes on in separate
 * activities.
 */
export async function inspectAndRun(
  deps: Dependencies,
  { jobId }: JobInput,
  limitSignal: AbortSignal,
): Promise<InspectAndRunResult> {
  const opened = await openWorkAttempt(deps.db, jobId)
  if (!opened) return goOn(deps, jobId, limitSignal)
  const { job, attempt } = opened
  const inspectThenRun = async (signal: AbortSignal) => {
    const endpoint = liveEndpoint(job.endpoint)
    if (!endpoint.readsMedia) throw new Error(`${jobId} has no media to inspect`)
    const media = await readJobMedia(deps, job, endpoint, signal)
    const inspected = { job, attempt, endpoint, media }
    const isShort = isShortWork(job, endpoint, media.info) && (await findOnDisk(deps, job)) !== undefined
    return isShort ? runShort(deps, inspected, limitSignal) : prepareRun(deps, inspected, signal)
  }
  return boundLostAttempts(deps, openedAttempt(deps.db, attempt), () =>
    whileBeating(inspectThenRun, undefined, limitSignal),
  )
}

/** Repeated after the end of the job. */
async function goOn(deps: Dependencies, jobId: string, limitSignal: AbortSignal): Promise<InspectAndRunResult> {
  const job = await getJob(deps.db, jobId)
  if (hasEnded(job)) return { jobEnded: true, finished: await finishJob(deps, { jobId }) }
  return inspectJob(deps, job, limitSignal)
}

/** Runs a short job and ends it. */
async function runShort(
  deps: Dependencies,
  { job, attempt, endpoint, media }: InspectedJob,
  limitSignal: AbortSignal,
): Promise<InspectAndRunResult> {
  const { db, logger, metrics } = deps
  const described = withMedia(job, media)
  const estimate = estimateOf(described)
  if (!coversEstimate(job, estimate)) {
    await recordMediaInfo(db, job.id, media.info, media.version)
    await holdPrice(deps, { jobId: job.id })
  }
  const startedAt = new Date()
  const [startedNow, draft] = await runBothOrAbort(
    Context.current().cancellationSignal,
    () => recordInspectedStart(db, job.id, { media, estimate, startedAt }),
    (either) => {
      const limits = AbortSignal.any([limitSignal, either])
      return deferLongWork(() => makeDraft(deps, described, { limitSignal: limits }), limitSignal)
    },
  )
  const { durationSeconds: mediaSeconds } = media.info
  const time = timeOf(job, endpoint, media.info)
  const inspection = { jobEnded: false, mediaSeconds, ...time, isStreamed: false } as const
  if (startedNow === undefined) return inspection
  measureStart(metrics, { ...job, startedAt, startedNow })
  if (isDeferral(draft)) return inspection

  const settle = () => endJob(deps, job.id, { draft, media, estimate, startedAt, attempt })
  const ended = await settle().catch((error: unknown) =>
    // Separate activities run the job again, and retry its end for as long as the database does not answer.
    logger.warn({ err: error, jobId: job.id }, 'a short job could not end, and runs again'),
  )
  if (!ended) return { ...inspection, isShort: true }
  await closeSource(deps, job.id)
  return { ...inspection, isShort: true, finished: finishResult(ended) }
}
