import { Context } from '@temporalio/activity'
import { ServiceError } from '../src/core/errors.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { openAttempt } from '../src/jobs/attempts.ts'
import { withMedia } from '../src/jobs/job-changes.ts'
import { getJob, hasEnded, type Job } from '../src/jobs/job-rows.ts'
import { endJob } from '../src/jobs/start-and-end.ts'
import { measureStart } from '../src/telemetry/metrics.ts'
import type { Dependencies, JobInput } from './dependencies.ts'
import { type FinishResult, finishJob, finishResult } from './finish.ts'
import { checkJobMedia, estimateOf } from './inspect.ts'
import { isLong, makeDraft } from './run.ts'
import { findKnownMedia, findOnDisk, type KnownMedia } from './source.ts'
import { boundLostAttempts, openedAttempt } from './worker/lost-attempts.ts'

/** Of an answered job, which has ended and needs no other activity, or of one that goes on. */
export type ReuseResult = ({ readonly isAnswered: true } & FinishResult) | NotAnswered

export interface NotAnswered {
  readonly isAnswered: false
  /** Whether the job reads nothing from the internet. */
  readonly isStored: boolean
  /** Whether the media is on a disk of the workers, so that reading it waits for no network. */
  readonly isOnDisk: boolean
}

/** Waiting for a server here occupies a task slot of the workflow worker. */
const maxAnswerMs = 1_000

/**
 * Does the whole job in one activity, if it reads no media or can reuse the analyses of earlier jobs. If this fails, the job
 * continues with its separate activities, which report the failure.
 */
export async function reuseAnalyses(deps: Dependencies, { jobId }: JobInput): Promise<ReuseResult> {
  const { cancellationSignal: signal } = Context.current()
  const job = await getJob(deps.db, jobId)
  const endpoint = liveEndpoint(job.endpoint)
  // Computed only for jobs that are not answered, because it looks at the disk.
  const notAnswered = async (): Promise<NotAnswered> => ({
    isAnswered: false,
    isStored: job.mediaUrl === null || job.mediaKey !== null,
    isOnDisk: job.mediaUrl !== null && (await findOnDisk(deps, job)) !== undefined,
  })
  // By a worker that was lost after the commit, or by a cancellation.
  if (hasEnded(job)) return { isAnswered: true, ...(await finishJob(deps, { jobId })) }
  if (endpoint.readsMedia && endpoint.windowsToRead) return notAnswered()
  const soon = AbortSignal.any([signal, AbortSignal.timeout(maxAnswerMs)])
  try {
    const known = endpoint.readsMedia ? await findKnownMedia(deps, job, soon) : undefined
    // Every task slot of the workflow worker can be here simultaneously, each with its envelopes in memory.
    if (endpoint.readsMedia && (!known || isLong(known.info))) return await notAnswered()

    return { isAnswered: true, ...(await answer(deps, job, known)) }
  } catch (error) {
    signal.throwIfAborted()
    const level = error instanceof ServiceError || soon.aborted ? 'debug' : 'warn'
    deps.logger[level]({ err: error, jobId }, 'nothing to reuse')
    return notAnswered()
  }
}

/** Nothing is recorded before the answer: a hold is fitted once, and the separate activities may find other media. */
async function answer(deps: Dependencies, job: Job, known: KnownMedia | undefined): Promise<FinishResult> {
  const { db, metrics } = deps
  const startedAt = new Date()
  const media = known ?? null
  const described = known ? withMedia(job, known) : job
  const endpoint = liveEndpoint(job.endpoint)
  if (known && endpoint.readsMedia) await checkJobMedia(db, job, endpoint, known.info)
  const attempt = await openAttempt(db, job.id)
  return boundLostAttempts(deps, openedAttempt(db, attempt), async () => {
    const draft = await makeDraft(deps, described, { openWith: refuseToRead })
    const ended = await endJob(deps, job.id, {
      draft,
      media,
      estimate: estimateOf(described),
      startedAt,
      attempt,
    })
    if (ended.endedNow) measureStart(metrics, { ...ended, startedNow: job.startedAt === null })
    return finishResult(ended)
  })
}

async function refuseToRead(): Promise<never> {
  throw new ServiceError('server_error', undefined, { cause: new Error('no analysis to reuse') })
}
