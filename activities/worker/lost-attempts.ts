import { askAgain } from '../../src/core/ask-again.ts'
import { createCounts } from '../../src/core/counts.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { type Database, isUnreachable } from '../../src/store/database.ts'
import { type Attempt, closeAttempt } from '../../src/store/open-attempts.ts'
import type { Dependencies } from '../dependencies.ts'
import { whileBeating } from './heartbeat.ts'

/** One lost attempt may be the fault of the machine, or of another job on it. */
const maxLostAttempts = 2

/** Counts the open attempts of a job's work, or of one of its parts. */
export interface OpenAttempts {
  readonly jobId: string
  /** Undefined for the job's own work. */
  readonly part?: number
  /** Opens an attempt. Returns how many were open before. */
  open(): Promise<number>
  close(): Promise<void>
}

/** An attempt of a job that a statement of its work opened. */
export function openedAttempt(db: Database, attempt: Attempt): OpenAttempts {
  const { jobId, openBefore } = attempt
  return { jobId, open: async () => openBefore, close: () => closeAttempt(db, attempt) }
}

/** Less than what an activity of seconds has for a wait for the database. */
const closeLimits = { pauseMilliseconds: 1_000, maxMilliseconds: 120_000 }

/** How many attempts this process has open. Their worker is not lost: it missed heartbeats, because the machine was busy. */
const openHere = createCounts()

/**
 * Runs an attempt of a job's work, or of one of its parts. Throws `processing_failed` if the workers of `maxLostAttempts` earlier
 * attempts were lost: media that ends its worker also ends the attempts of other jobs. Attempts that a deploy or an outage of
 * Temporal interrupts do not count, because their worker closes them. An attempt that cannot be closed ends as its work did.
 */
export async function boundLostAttempts<T>(
  { logger }: Pick<Dependencies, 'logger'>,
  { jobId, part, open, close }: OpenAttempts,
  work: () => Promise<T>,
  limits = closeLimits,
): Promise<T> {
  const key = `${jobId} ${part ?? ''}`
  const openBefore = await open()
  const othersHere = openHere.of(key)
  openHere.add(key)
  try {
    if (openBefore - othersHere >= maxLostAttempts) throw new ServiceError('processing_failed', workersLost)
    return await work()
  } finally {
    // Until the database is back: otherwise two outages would count like two lost workers.
    const closeOnceBack = (signal: AbortSignal) =>
      askAgain(() => close().catch(close), isUnreachable, { ...limits, signal })
    await whileBeating(closeOnceBack).then(
      () => openHere.remove(key),
      // It stays open here, so that a later attempt on this worker does not take it for a lost one.
      (error: unknown) => logger.error({ err: error, jobId }, 'attempt not closed'),
    )
  }
}

const workersLost =
  'The worker stopped twice while it worked on this job: because of the media, or of the service. Create the job again once. If it fails again, convert the media, or contact support with the request id.'
