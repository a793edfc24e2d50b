import { findJob, hasEnded, type JobReader, type JobWithOutputs } from '../src/store/jobs.ts'
import type { ApiContext } from './context.ts'
import { waitUntil } from './wait-until.ts'
import { whileOpen } from './while-open.ts'

export interface WaitInput {
  readonly reader: JobReader
  readonly jobId: string
  readonly milliseconds: number
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  /** Told the job each time that it is read. */
  readonly onRead?: ((job: JobWithOutputs) => Promise<void>) | undefined
}

/**
 * The job when it has ended, or as it is when the time is up, the client leaves or the server closes. Null where there is
 * none. An account with as many open waits as it may have gets the job as it is at once.
 */
export async function waitForEnd(
  context: Pick<ApiContext, 'config' | 'db' | 'jobEnds' | 'closing' | 'background'>,
  { reader, jobId, milliseconds, signal, onRead }: WaitInput,
): Promise<JobWithOutputs | null> {
  const read = async () => {
    const found = await findJob(context.db, reader, jobId)
    if (found) await onRead?.(found)
    return found
  }
  const isDone = (job: JobWithOutputs | null) => job === null || hasEnded(job)
  const job = await read()
  if (isDone(job) || milliseconds === 0) return job
  const { accountId } = reader
  const held = await whileOpen(context, { accountId, milliseconds }, () =>
    waitUntil(context, { id: jobId, read, isDone, milliseconds, signal }),
  )
  return held === undefined ? job : held
}
