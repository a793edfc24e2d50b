import { setTimeout as sleep } from 'node:timers/promises'
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

/** How many attempts this process has open. Their worker is not lost: it missed heartbeats, because the machine was busy. */
const openHere = createCounts()

/**
 * Runs an attempt of a job's work, or of one of its parts. Throws `processing_failed` if the workers of `maxLostAttempts` earlier
 * attempts were lost: media that ends its worker also ends the attempts of other jobs. Attempts that a deploy or an outage of
 * Temporal interrupts do not count, because their worker closes them. An attempt that cannot be closed ends as its work did,
 * and closes when the database is back.
 */
export async function boundLostAttempts<T>(
  { logger }: Pick<Dependencies, 'logger'>,
  { jobId, part, open, close }: OpenAttempts,
  work: () => Promise<T>,
  pauseMilliseconds = 5_000,
): Promise<T> {
  const key = `${jobId} ${part ?? ''}`
  const openBefore = await open()
  const othersHere = openHere.of(key)
  openHere.add(key)
  try {
    if (openBefore - othersHere >= maxLostAttempts) throw new ServiceError('processing_failed', workersLost)
    return await work()
  } finally {
    const closed = await whileBeating(() => close().catch(close)).then(
      () => true,
      (error: unknown) => {
        logger.error({ err: error, jobId }, 'attempt not closed')
        return !isUnreachable(error)
      },
    )
    if (closed) openHere.remove(key)
    else void closeAfterOutage(close, pauseMilliseconds).finally(() => openHere.remove(key))
  }
}

/** Otherwise two outages of the database would count like two lost workers. */
async function closeAfterOutage(close: OpenAttempts['close'], pauseMilliseconds: number): Promise<void> {
  for (let isOpen = true; isOpen; ) {
    await sleep(pauseMilliseconds, undefined, { ref: false })
    isOpen = await close().then(() => false, isUnreachable)
  }
}

const workersLost =
  'The worker stopped twice while it worked on this job: because of the media, or of the service. Create the job again once. If it fails again, convert the media, or contact support with the request id.'
