import { type CreateOptions, pause } from '../http.ts'
import { ApiError } from '../index.ts'
import type { Context } from './context.ts'

type Asking = Pick<Context, 'output' | 'signal'>

/** How long a command asks a busy service again. */
const patienceSeconds = 300
/** Between two attempts, where the service does not say how long. */
const usualSeconds = 10

/** Starts work at the service, once: all attempts have the same key. */
export async function begin<T extends { readonly id: string }>(
  context: Asking,
  start: (options: CreateOptions) => Promise<T>,
): Promise<T> {
  const { output, signal } = context
  const idempotencyKey = crypto.randomUUID()
  // Also where the answer is not waited for.
  output.begins()
  const started = await whileBusy(context, () => start({ signal, idempotencyKey }))
  output.begins(started.id)
  output.note(`${started.id} has begun.`)
  return started
}

/** Tries again while the service has too much to do, such as with media that takes long to read. */
export async function whileBusy<T>({ output, signal }: Asking, attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceSeconds * 1000
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (error) {
      const seconds = secondsUntilFree(error)
      if (seconds === undefined || Date.now() + seconds * 1000 > deadline) throw error
      if (attempts === 1) output.note(`The service is busy. Trying again for up to ${patienceSeconds / 60} minutes.`)
      await pause(seconds, signal)
    }
  }
}

function secondsUntilFree(error: unknown): number | undefined {
  const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 503)
  return isBusy ? (error.retryAfterSeconds ?? usualSeconds) : undefined
}
