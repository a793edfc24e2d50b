import { findJob, hasEnded, type JobWithOutputs } from '../src/store/jobs.ts'
import { endWait, openWait } from '../src/store/open-waits.ts'
import type { ApiContext } from './context.ts'

/** Announcements can be missed (a broken listening connection), so the row is read again this often. */
const rereadMilliseconds = 2_000

export interface WaitInput {
  readonly accountId: string
  readonly jobId: string
  readonly milliseconds: number
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
}

/**
 * The job when it has ended, or as it is when the time is up, the client leaves or the server closes. Null where there is
 * none. An account with as many open waits as it may have gets the job as it is at once.
 */
export async function waitForEnd(
  {
    config,
    db,
    jobEnds,
    closing,
    background,
  }: Pick<ApiContext, 'config' | 'db' | 'jobEnds' | 'closing' | 'background'>,
  { accountId, jobId, milliseconds, signal }: WaitInput,
): Promise<JobWithOutputs | null> {
  const deadline = Date.now() + milliseconds
  const given = new AbortController()
  const giveUp = () => given.abort()
  const signals = [closing, signal]
  for (const each of signals) each.addEventListener('abort', giveUp)
  if (signals.some((each) => each.aborted)) giveUp()
  let wait: string | undefined
  try {
    for (;;) {
      const left = deadline - Date.now()
      // Subscribed before the read: an end between the two is not missed.
      const announced = jobEnds.next(jobId, Math.max(0, Math.min(left, rereadMilliseconds)), given.signal)
      const job = await findJob(db, accountId, jobId)
      if (!job || hasEnded(job) || left <= 0 || given.signal.aborted) return job
      wait ??= await openWait(db, { accountId, limit: config.OPEN_WAITS_PER_ACCOUNT, milliseconds })
      if (wait === undefined) return job
      await announced
    }
  } finally {
    for (const each of signals) each.removeEventListener('abort', giveUp)
    giveUp()
    // What cannot be deleted now counts no longer than the wait could have lasted.
    if (wait !== undefined) background.run(endWait(db, wait).catch(() => {}))
  }
}
