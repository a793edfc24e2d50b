import { Context } from '@temporalio/activity'
import { ServiceError } from '../src/core/errors.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { getJob, hasEnded } from '../src/store/jobs.ts'
import { beginWork } from './begin-work.ts'
import type { Dependencies } from './dependencies.ts'
import { finishJob } from './finish.ts'
import { holdPrice } from './hold.ts'
import { inspectJob } from './inspect.ts'
import { isLong, runJob } from './run.ts'
import { findKnownMedia } from './source/identity.ts'

export interface ReuseInput {
  readonly jobId: string
}

export interface ReuseResult {
  /** The job has ended and needs no other activity. */
  readonly isAnswered: boolean
  readonly othersWait: boolean
  /** Whether the job reads nothing from the internet. Undefined in results of earlier versions. */
  readonly isStored?: boolean
}

/** Waiting for a server here occupies a task slot of the workflow worker. */
const maxAnswerMs = 1_000

/**
 * Does all activities of a job in one: of a job that reads no media, or by reuse of the analyses of earlier jobs. If this
 * fails, the job continues with its separate activities, which report the failure.
 */
export async function reuseAnalyses(deps: Dependencies, { jobId }: ReuseInput): Promise<ReuseResult> {
  const { cancellationSignal: signal } = Context.current()
  const job = await getJob(deps.db, jobId)
  const endpoint = liveEndpoint(job.endpoint)
  const notAnswered = { isAnswered: false, othersWait: false, isStored: !endpoint.readsMedia || job.mediaKey !== null }
  if (hasEnded(job) || (endpoint.readsMedia && endpoint.windowsRead)) return notAnswered
  try {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(maxAnswerMs)])
    const known = endpoint.readsMedia ? await findKnownMedia(deps, job, soon) : undefined
    // Every task slot of the workflow worker can be here simultaneously, each with its envelopes in memory.
    if (endpoint.readsMedia && (!known || isLong(known.info))) return notAnswered

    const startedAt = new Date()
    await inspectJob(deps, job, known)
    await runJob(deps, await getJob(deps.db, jobId), refuseToRead)
    // A job that could not be answered here is still queued.
    await beginWork(deps, jobId, startedAt)
    // After the run: a hold is fitted once, and the separate activities may find other media.
    await holdPrice(deps, { jobId })
    return { isAnswered: true, ...(await finishJob(deps, { jobId })) }
  } catch (error) {
    signal.throwIfAborted()
    deps.logger.debug({ err: error, jobId }, 'nothing to reuse')
    return notAnswered
  }
}

async function refuseToRead(): Promise<never> {
  throw new ServiceError('server_error', undefined, { cause: new Error('no analysis to reuse') })
}
