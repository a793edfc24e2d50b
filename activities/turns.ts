import { unlessAborted } from '../src/media/source/deadline.ts'

/** Runs work when the work before it is over, however that ended. Rejects at once where the signal aborts before. */
export type SerialQueue = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work, signal) => {
    const before = last
    const turn = unlessAborted(before, signal).then(work)
    // Whoever gave up waiting leaves those before it to the next one.
    last = Promise.allSettled([before, turn])
    return turn
  }
}
