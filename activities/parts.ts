import { liveEndpoint } from '../src/endpoints/catalog.ts'
import type { MediaParts } from '../src/endpoints/define-endpoint.ts'
import { piecesFolder } from '../src/jobs/analysis-rows.ts'
import {
  closePartAttempt,
  findEarlierEnds,
  type JobPart,
  openAttempt,
  openPartAttempt,
  recordPartProgress,
} from '../src/jobs/attempts.ts'
import { hasEnded, type Job } from '../src/jobs/job-rows.ts'
import type { Dependencies, JobInput } from './dependencies.ts'
import { createRunContext, inOwnFolder } from './run-context.ts'
import { recordFetchedBytes } from './source.ts'
import { boundLostAttempts, openedAttempt } from './worker/lost-attempts.ts'
import { whileBeating } from './worker/run-activity.ts'

export interface PlanPartsResult {
  /** The share of the job's progress that each part has; none if the job is done without parts. */
  readonly shares: readonly number[]
  /** How many parts at the end are shorter than the others: they begin after these. */
  readonly shorterLast?: number
}

/** Parts that are nearly as long as the longest are as long: pieces are cut at frames. */
const nearly = 0.9

/** Divides the job's work into parts. */
export async function planParts(deps: Dependencies, job: Job): Promise<PlanPartsResult> {
  const parts = partsOf(job)
  if (!parts) return { shares: [] }
  const opened = openedAttempt(deps.db, await openAttempt(deps.db, job.id))
  const seconds = await boundLostAttempts(deps, opened, () =>
    inOwnFolder(deps, job.id, (attempt) =>
      whileBeating((signal) => parts.plan(createRunContext(deps, { job, attempt, signal }))),
    ),
  )
  await whileBeating(() => recordFetchedBytes(deps, job.id))
  return partsPlan(seconds)
}

/** The plan of parts of these lengths, in seconds of media or of work. */
function partsPlan(seconds: readonly number[]): PlanPartsResult {
  const total = seconds.reduce((sum, each) => sum + each, 0)
  const longest = Math.max(...seconds)
  const shorterLast = seconds.length - 1 - seconds.findLastIndex((each) => each >= longest * nearly)
  return { shares: seconds.map((each) => each / (total || 1)), ...(shorterLast > 0 ? { shorterLast } : {}) }
}

export interface RunPartInput extends JobInput {
  readonly part: number
  readonly share: number
}

/** Each write also sums up the job's other parts. */
const progressSteps = 20

/** Does the work of one part, whose result the job's `run` finds in storage. */
export async function runPart(deps: Dependencies, job: Job, { part, share }: RunPartInput): Promise<void> {
  const parts = partsOf(job)
  if (!parts) return
  const { db } = deps
  const own: JobPart = { jobId: job.id, folder: piecesFolder(job.id, deps.ffmpegBuild), part, share }
  const attempts = {
    jobId: job.id,
    part,
    open: () => openPartAttempt(db, own),
    findEnds: () => findEarlierEnds(db, job.id),
    close: () => closePartAttempt(db, own),
  }
  const record = (progress: number) => recordPartProgress(db, own, progress)
  try {
    await boundLostAttempts(deps, attempts, () =>
      inOwnFolder(deps, job.id, async (attempt) => {
        const began = performance.now()
        await whileBeating(async (signal, report) => {
          const reportProgress = (fraction: number) => report(Math.floor(fraction * progressSteps) / progressSteps)
          await parts.run(createRunContext(deps, { job, attempt, signal, reportProgress }), part)
          await attempt.background.settled()
        }, record)
        deps.metrics.processingSeconds.inc({ endpoint: job.endpoint }, (performance.now() - began) / 1000)
        await record(1)
      }),
    )
  } finally {
    await whileBeating(() => recordFetchedBytes(deps, job.id)).catch((error: unknown) =>
      deps.logger.error({ err: error, jobId: job.id }, 'fetched bytes not recorded'),
    )
  }
}

/** Undefined if there is nothing to do. */
function partsOf(job: Job): MediaParts | undefined {
  const endpoint = liveEndpoint(job.endpoint)
  return endpoint.readsMedia && !hasEnded(job) ? endpoint.parts : undefined
}
