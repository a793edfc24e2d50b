import { ServiceError } from '../../src/core/errors.ts'
import { closeAttempt, openAttempt } from '../../src/store/open-attempts.ts'
import type { Dependencies } from '../dependencies.ts'

/** One may be the fault of the machine, or of another job on it. */
const maxLostAttempts = 2

/**
 * Runs an attempt of a job's work. Throws `processing_failed` if the workers of `maxLostAttempts` earlier ones were lost: media
 * that ends its worker also ends the attempts of other jobs. Attempts that a deploy or an outage of Temporal interrupts do not
 * count, because their worker closes them.
 */
export async function boundLostAttempts<T>(
  { db }: Pick<Dependencies, 'db'>,
  jobId: string,
  work: () => Promise<T>,
): Promise<T> {
  const lost = await openAttempt(db, jobId)
  try {
    if (lost >= maxLostAttempts) throw new ServiceError('processing_failed', workersLost)
    return await work()
  } finally {
    await closeAttempt(db, jobId)
  }
}

const workersLost =
  'The worker stopped twice while it processed this media. Convert the media, or contact support with the request id.'
