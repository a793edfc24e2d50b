import { Context } from '@temporalio/activity'
import { ServiceError } from '../src/core/errors.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { getJob, hasEnded } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { finishJob } from './finish.ts'
import { holdPrice } from './hold.ts'
import { beginInspection, recordMedia } from './inspect.ts'
import { runJob } from './run.ts'
import { isLong } from './run-streamed.ts'
import { findKnownMedia } from './source/identity.ts'

export interface ReuseInput {
  readonly jobId: string
}

export interface ReuseResult {
  /** The job has ended: it needs no other step. */
  readonly isAnswered: boolean
  readonly othersWait: boolean
}

/** Whoever waits for a server here keeps a place of the workflows. */
const maxAnswerMs = 1_000

const notAnswered: ReuseResult = { isAnswered: false, othersWait: false }

/**
 * The whole job at once, where it reads no media, or where what earlier jobs of the account left answers it without. Whatever
 * fails here is left to the steps of their own, which tell it.
 */
export async function completeFromCache(deps: Dependencies, { jobId }: ReuseInput): Promise<ReuseResult> {
  const { cancellationSignal: signal } = Context.current()
  const job = await getJob(deps.db, jobId)
  const endpoint = liveEndpoint(job.endpoint)
  if (hasEnded(job)) return notAnswered
  try {
    if (endpoint.readsMedia) {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(maxAnswerMs)])
      const known = endpoint.windowsRead ? undefined : await findKnownMedia(deps, job, soon)
      // As many as there are workflows may be here at once.
      if (!known || isLong(known.info)) return notAnswered
      await recordMedia(deps, endpoint, await beginInspection(deps, jobId), known)
    } else {
      await beginInspection(deps, jobId)
    }
    await runJob(deps, { jobId }, readNothing)
    // Not before the answer is there: a hold is fitted once, and the steps may find other media.
    await holdPrice(deps, { jobId })
    return { isAnswered: true, ...(await finishJob(deps, { jobId })) }
  } catch (error) {
    signal.throwIfAborted()
    deps.logger.debug({ err: error, jobId }, 'not answered from what is kept')
    return notAnswered
  }
}

async function readNothing(): Promise<never> {
  throw new ServiceError('server_error', undefined, { cause: new Error('what is kept does not answer') })
}
