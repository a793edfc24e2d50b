import { findJob, hasEnded, type JobReader, type JobWithOutputs } from '../src/store/jobs.ts'
import type { ApiContext } from './context.ts'

/** Announcements can be missed (a broken listening connection), so the row is read again this often. */
const rereadMilliseconds = 2_000

export interface WaitInput {
  readonly reader: JobReader
  readonly jobId: string
  readonly milliseconds: number
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
}

/** The job when it has ended, or as it is when the time is up, the client leaves or the server closes. Null where there is none. */
export async function waitForEnd(
  { db, jobEnds, closing }: Pick<ApiContext, 'db' | 'jobEnds' | 'closing'>,
  { reader, jobId, milliseconds, signal }: WaitInput,
): Promise<JobWithOutputs | null> {
  const deadline = Date.now() + milliseconds
  const given = new AbortController()
  const giveUp = () => given.abort()
  const signals = [closing, signal]
  for (const each of signals) each.addEventListener('abort', giveUp)
  if (signals.some((each) => each.aborted)) giveUp()
  try {
    for (;;) {
      const left = deadline - Date.now()
      // Subscribed before the read: an end between the two is not missed.
      const announced = jobEnds.next(jobId, Math.max(0, Math.min(left, rereadMilliseconds)), given.signal)
      const job = await findJob(db, reader, jobId)
      if (!job || hasEnded(job) || left <= 0 || given.signal.aborted) return job
      await announced
    }
  } finally {
    for (const each of signals) each.removeEventListener('abort', giveUp)
    giveUp()
  }
}
