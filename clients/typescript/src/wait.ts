import { FailedError, WaitTimeoutError } from './errors.ts'
import { type AttemptOptions, isWorthRetrying, pause, type RequestOptions } from './http.ts'

export interface WaitOptions extends Pick<RequestOptions, 'signal'> {
  /** Seconds to wait at most. Without it, for as long as the work takes. */
  readonly timeoutSeconds?: number
  /** Called with every answer that differs from the one before, from 0 to 1. */
  readonly onProgress?: (progress: number) => void
}

interface Ended {
  readonly id: string
  readonly status: string
  readonly status_detail?: string
  readonly progress?: number
  /** Of a run. */
  readonly steps?: readonly { readonly job?: { readonly progress: number } }[]
  readonly error?: { readonly code: string; readonly message: string }
}

/** A long poll of the service ends within this time. */
const pollSeconds = 50
/** It says nothing of the progress before it ends. Who is told of it asks every two seconds, and less often the longer the work takes. */
const shownSeconds = 2
const shownShare = 0.05

/**
 * Asks until a job, a run or a batch has ended. A service that restarts meanwhile is waited for.
 * Throws `FailedError` if it failed, `WaitTimeoutError` if it takes longer than the caller gave it.
 */
export async function waitFor<T extends Ended>(
  read: (query: { wait: number }, options: AttemptOptions) => Promise<T>,
  id: string,
  { signal, timeoutSeconds = Number.POSITIVE_INFINITY, onProgress }: WaitOptions,
): Promise<T> {
  const from = Date.now()
  const deadline = from + timeoutSeconds * 1000
  const tell = progressTeller(onProgress)
  for (let failures = 0; ; ) {
    const began = Date.now()
    const left = (deadline - began) / 1000
    if (left <= 0) throw new WaitTimeoutError(id, timeoutSeconds)
    const longest = onProgress ? Math.max(shownSeconds, ((began - from) / 1000) * shownShare) : pollSeconds
    const wait = Math.min(pollSeconds, longest, left)
    const found = await read({ wait }, { ...limitsOf(wait, left), ...(signal && { signal }) }).catch(
      (error: unknown) => {
        if (!isWorthRetrying(error)) throw error
      },
    )
    failures = found ? 0 : failures + 1
    if (found) tell(found)
    // A canceled batch has ended, and its items say how; canceled jobs and runs are failed.
    if (found?.status === 'completed' || found?.status === 'canceled') return found
    if (found?.status === 'failed') throw failureOf(found)
    // A service that is down is asked rarely, and one that has too many waits answers early.
    const earliest = began + 1000 * Math.min(10, 1 + failures)
    await pause(Math.max(0, Math.min(earliest, deadline) - Date.now()) / 1000, signal)
  }
}

/** Of a request. Its further attempts would go on after a deadline. */
function limitsOf(wait: number, left: number): AttemptOptions {
  return { timeoutSeconds: Math.min(wait + 20, left + 1), ...(Number.isFinite(left) && { retries: 0 }) }
}

/** Tells each progress that differs from the one before. */
function progressTeller(onProgress: (progress: number) => void = () => {}): (found: Ended) => void {
  let told: number | undefined
  return (found) => {
    const progress = progressOf(found)
    if (progress === undefined || progress === told) return
    told = progress
    onProgress(progress)
  }
}

/** A run has none of its own: its steps count alike. */
function progressOf({ progress, steps = [] }: Ended): number | undefined {
  if (steps.length === 0) return progress
  return steps.reduce((sum, { job }) => sum + (job?.progress ?? 0), 0) / steps.length
}

function failureOf({ id, status_detail, error }: Ended): FailedError {
  if (error) return new FailedError(error.message, { code: error.code, id })
  const isCanceled = status_detail === 'canceled'
  return new FailedError(isCanceled ? `${id} was canceled.` : `${id} failed.`, {
    ...{ code: isCanceled ? 'canceled' : 'processing_failed', id },
  })
}
