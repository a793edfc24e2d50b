import { coversEstimate } from '../src/billing/holds.ts'
import { isDeferral } from '../src/core/deferral.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { settleAndMeasure } from '../src/jobs/settle-job.ts'
import type { NewDraft } from '../src/store/drafts.ts'
import { openWorkAttempt, recordInspectedStart, withMedia } from '../src/store/job-changes.ts'
import { getJob } from '../src/store/jobs.ts'
import { measureStart } from '../src/telemetry/measure-jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { type FinishResult, reportEnd } from './finish.ts'
import { estimateOf, holdPrice } from './hold.ts'
import { type DescribedJob, type InspectResult, inspectJob, prepareRun, readJobMedia } from './inspect.ts'
import { makeDraft } from './run.ts'
import { deferLongWork, isShortWork } from './short-work.ts'
import { closeSource } from './source/open.ts'
import { whileBeating } from './worker/heartbeat.ts'
import { boundLostAttempts, openedAttempt } from './worker/lost-attempts.ts'

export interface InspectAndRunInput {
  readonly jobId: string
}

export type InspectAndRunResult = InspectResult & {
  /** Whether the draft is recorded, so that only finish is left. Only in results of earlier versions. */
  readonly isRun?: boolean
  /** What finish would return, if the job has ended. */
  readonly finished?: FinishResult
}

/**
 * Inspects the media, and if the run is expected to be short, does the whole job: separate activities cost as much processor time
 * as the work of a short job. `limitSignal` ends work that is not short. The workflow continues with separate activities what has
 * not ended.
 */
export async function inspectAndRun(
  deps: Dependencies,
  { jobId }: InspectAndRunInput,
  limitSignal: AbortSignal,
): Promise<InspectAndRunResult> {
  const opened = await openWorkAttempt(deps.db, jobId)
  if (!opened) return inspectJob(deps, await getJob(deps.db, jobId), limitSignal)
  const { job, attempt } = opened
  const endpoint = liveEndpoint(job.endpoint)
  if (!endpoint.readsMedia) throw new Error(`${jobId} has no media to inspect`)
  return boundLostAttempts(deps, openedAttempt(deps.db, attempt), async () => {
    const media = await whileBeating((signal) => readJobMedia(deps, job, endpoint, signal), undefined, limitSignal)
    const described = { job, attempt, endpoint, media }
    if (isShortWork(job, endpoint, media.info)) return runShort(deps, described, limitSignal)
    return whileBeating((signal) => prepareRun(deps, described, signal), undefined, limitSignal)
  })
}

/** Runs a short job on inspected media, and ends it. */
async function runShort(
  deps: Dependencies,
  described: DescribedJob,
  limitSignal: AbortSignal,
): Promise<InspectAndRunResult> {
  const { job, attempt, media } = described
  const startedAt = new Date()
  const estimate = estimateOf(withMedia(job, media))
  const draft = await deferLongWork(() => startShort(deps, described, { startedAt, limitSignal }), limitSignal)
  const inspected = { jobEnded: false, mediaSeconds: media.info.durationSeconds, isStreamed: false } as const
  if (isDeferral(draft)) return inspected

  const answer = { draft, media, estimate, startedAt, attempt }
  const ended = await whileBeating(() => settleAndMeasure(deps, job.id, answer)).catch((error: unknown) => {
    // The workflow retries for as long as the database does not answer, and this activity only a few times.
    deps.logger.warn({ err: error, jobId: job.id }, 'the job goes on in its separate activities')
  })
  if (!ended) return { ...inspected, isShort: true }
  await closeSource(deps, job.id)
  return { ...inspected, isShort: true, finished: reportEnd(deps, ended) }
}

interface ShortStart {
  readonly startedAt: Date
  readonly limitSignal: AbortSignal
}

/** Makes the draft of a short job while its start is recorded. */
async function startShort(
  deps: Dependencies,
  { job, media }: DescribedJob,
  { startedAt, limitSignal }: ShortStart,
): Promise<NewDraft> {
  const described = withMedia(job, media)
  const start = async () => {
    await recordInspectedStart(deps.db, job.id, media, startedAt)
    measureStart(deps.metrics, { ...job, startedAt, startedNow: job.startedAt === null })
  }
  const makeOwnDraft = () => makeDraft(deps, described, { limitSignal })
  if (!coversEstimate(job, estimateOf(described))) {
    await start()
    await whileBeating(() => holdPrice(deps, { jobId: job.id }))
    return makeOwnDraft()
  }
  const [started, draft] = await Promise.allSettled([start(), makeOwnDraft()])
  if (started.status === 'rejected') throw started.reason
  if (draft.status === 'rejected') throw draft.reason
  return draft.value
}
