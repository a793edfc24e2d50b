import { findJob, hasEnded, type JobReader, type JobWithOutputs } from '../src/store/jobs.ts'
import type { ApiContext } from './context.ts'
import { type WaitUntilInput, waitUntil } from './wait-until.ts'
import { withWaitSlot } from './while-open.ts'

export interface WaitInput {
  readonly reader: JobReader
  readonly jobId: string
  readonly milliseconds: number
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  /** Told the job each time that it is read. */
  readonly onRead?: ((job: JobWithOutputs) => Promise<void>) | undefined
}

type WaitContext = Pick<ApiContext, 'config' | 'db' | 'jobEndListener' | 'closing' | 'background'>

/** The job when it has ended, else as `waitAsOpen` says. Null where there is none. */
export async function waitForEnd(
  context: WaitContext,
  { reader, jobId, milliseconds, signal, onRead }: WaitInput,
): Promise<JobWithOutputs | null> {
  const read = async () => {
    const found = await findJob(context.db, reader, jobId)
    if (found) await onRead?.(found)
    return found
  }
  const isDone = (job: JobWithOutputs | null) => job === null || hasEnded(job)
  return longPoll(context, { accountId: reader.accountId, id: jobId, read, isDone, milliseconds, signal })
}

/**
 * The row when it is done, or as it is when the time is up, the client leaves or the server closes. An account with as many
 * open waits as it may have gets the row as it is at once.
 */
export async function longPoll<Row>(
  context: WaitContext,
  { accountId, ...wait }: WaitUntilInput<Row> & { readonly accountId: string },
): Promise<Row> {
  const { read, isDone, milliseconds } = wait
  const row = await read()
  if (isDone(row) || milliseconds === 0) return row
  const held = await withWaitSlot(context, { accountId, milliseconds }, () => waitUntil(context, wait))
  return held === undefined ? row : held
}
