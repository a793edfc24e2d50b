import { setTimeout as sleep } from 'node:timers/promises'
import { askAgain } from '../../src/core/concurrency.ts'
import { createCounts } from '../../src/core/counts.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { type Database, isUnreachable } from '../../src/db/database.ts'
import {
  type Attempt,
  type AttemptHistory,
  closeAttempt,
  type EarlierEnds,
  findEarlierEnds,
} from '../../src/jobs/attempts.ts'
import type { Deferral } from '../../src/temporal/names.ts'
import type { Dependencies } from '../dependencies.ts'
import { whileBeating } from './run-activity.ts'

/** A job or run that blocked two workers, so that they ended themselves, blocks the third one too. */
export const maxWorkerEnds = 2
/** An attempt that was lost with its machine, its power or its container is the fault of no job, and most are not. */
const maxLostAttempts = 10
/** Jobs whose attempts were lost so often run one after the other. If one of them ends each worker, it does not take the others along. */
const suspiciousLosses = 5
/** Two jobs of the account that blocked two workers each. */
const maxAccountEnds = 2 * maxWorkerEnds

/** Throws while the account waits because it blocked several workers. */
export function assertAccountMayWork({ accountEnds }: Pick<EarlierEnds, 'accountEnds'>): void {
  if (accountEnds >= maxAccountEnds) throw new NotYetError('the account blocked several workers')
}

/** Temporal takes a worker for lost when it has sent no heartbeat for this long, and starts the next attempt elsewhere. */
const heartbeatTimeoutSeconds = 10

/** Counts the open attempts of a job's work, or of one of its parts. */
export interface OpenAttempts {
  readonly jobId: string
  /** Undefined for the job's own work. */
  readonly part?: number
  /** Opens an attempt. */
  open(): Promise<AttemptHistory>
  findEnds(): Promise<EarlierEnds>
  close(): Promise<void>
}

/** An attempt of a job that a statement of its work opened. */
export function openedAttempt(db: Database, attempt: Attempt): OpenAttempts {
  const { jobId } = attempt
  return {
    jobId,
    open: async () => attempt,
    findEnds: () => findEarlierEnds(db, jobId),
    close: () => closeAttempt(db, attempt),
  }
}

/** The activity is deferred: another suspect runs on this worker, or the account waits. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError'
}

/** Less than what an activity of seconds has for a wait for the database. */
const closeLimits = { pauseMilliseconds: 1_000, maxMilliseconds: 120_000 }

/** How many attempts this process has open. Their worker is not lost: it missed heartbeats, because the machine was busy. */
const openHere = createCounts()
/** The attempts of suspects that run in this process: those of one job. */
const suspectsHere = createCounts()

/**
 * Runs an attempt of a job's work, or of one of its parts. Throws `processing_failed` if the job blocked two workers before, and
 * `NotYetError` while it must wait. Attempts that a deploy or an outage of Temporal interrupts do not count as lost, because their
 * worker closes them. An attempt that cannot be closed ends as its work did.
 */
export async function boundLostAttempts<T>(
  { logger, watchdog }: Pick<Dependencies, 'logger' | 'watchdog'>,
  attempts: OpenAttempts,
  work: () => Promise<T>,
  limits = closeLimits,
): Promise<T> {
  const { jobId, part, close } = attempts
  const key = `${jobId} ${part ?? ''}`
  const opened = await attempts.open()
  const lost = opened.openBefore - openHere.of(key)
  openHere.add(key)
  try {
    // The worker of one lost attempt can still be blocked. Its end is recorded by then, and tells whether this attempt may run.
    const waitSeconds = lost === opened.workerEnds + 1 ? watchdog.recordedWithinSeconds - heartbeatTimeoutSeconds : 0
    if (waitSeconds > 0) await whileBeating((signal) => sleep(waitSeconds * 1000, undefined, { signal }))
    const { workerEnds, accountEnds } = waitSeconds > 0 ? await attempts.findEnds() : opened
    if (workerEnds >= maxWorkerEnds) throw new ServiceError('processing_failed', workersBlocked)
    if (lost >= maxLostAttempts) throw new ServiceError('processing_failed', workersLost)
    assertAccountMayWork({ accountEnds })
    const run = () => watchdog.during(jobId, work)
    return await (workerEnds > 0 || lost >= suspiciousLosses ? asSuspect(jobId, run) : run())
  } finally {
    // Until the database is back: otherwise an outage would count like lost workers.
    const closeOnceBack = (signal: AbortSignal) =>
      askAgain(() => close().catch(close), isUnreachable, { ...limits, signal })
    await whileBeating(closeOnceBack).then(
      () => openHere.remove(key),
      // It stays open here, so that a later attempt on this worker does not take it for a lost one.
      (error: unknown) => logger.error({ err: error, jobId }, 'attempt not closed'),
    )
  }
}

/** Defers an activity that must wait. */
export async function deferUntilTurn<T>(work: () => Promise<T>): Promise<T | Deferral> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotYetError) return { deferred: 'no_slot' }
    throw error
  }
}

/** One suspect after the other, so that the next end of a worker tells which of them is the cause. Parts of one job run together. */
async function asSuspect<T>(jobId: string, work: () => Promise<T>): Promise<T> {
  const [other] = suspectsHere.keys()
  if (other !== undefined && other !== jobId) throw new NotYetError('another suspect runs on this worker')
  suspectsHere.add(jobId)
  try {
    return await work()
  } finally {
    suspectsHere.remove(jobId)
  }
}

export const workersBlocked =
  'Two workers stopped responding while they worked on this job or run, so it was ended. Convert the media, or contact support with the request id.'
const workersLost =
  'Ten workers stopped while they worked on this job. Create the job again once. If it fails again, convert the media, or contact support with the request id.'
