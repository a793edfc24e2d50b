import { setTimeout as sleep } from 'node:timers/promises'

export interface AskAgainLimits {
  readonly pauseMilliseconds: number
  readonly maxMilliseconds: number
}

/** Asks until there is an answer, or a failure that does not pass. Throws the last failure when the time is over, or the signal aborts. */
export async function askAgain<T>(
  ask: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  { pauseMilliseconds, maxMilliseconds, signal }: AskAgainLimits & { readonly signal: AbortSignal },
): Promise<T> {
  const endsAt = performance.now() + maxMilliseconds
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!mayPass(error) || signal.aborted || performance.now() >= endsAt) throw error
      await sleep(pauseMilliseconds, undefined, { signal }).catch(() => {})
    }
  }
}

export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
