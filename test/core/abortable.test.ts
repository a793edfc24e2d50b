import { expect, it, vi } from 'vitest'
import { mapOrAbort, unlessAborted, withTimeout } from '../../src/core/abortable.ts'

const never = new Promise<never>(() => {})
const late = () => new Error('late')

it('withTimeout settles like the promise, and leaves no timer', async () => {
  vi.useFakeTimers()
  try {
    await expect(withTimeout(Promise.resolve(1), 1_000, late)).resolves.toBe(1)
    await expect(withTimeout(Promise.reject(new Error('lost')), 1_000, late)).rejects.toThrow('lost')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

it('withTimeout rejects when the time is over, and not before', async () => {
  vi.useFakeTimers()
  try {
    const failed = vi.fn()
    const waiting = withTimeout(never, 1_000, late).catch(failed)
    await vi.advanceTimersByTimeAsync(999)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    expect(failed).toHaveBeenCalledWith(new Error('late'))
  } finally {
    vi.useRealTimers()
  }
})

it('unlessAborted rejects with the reason of the abort as its cause', async () => {
  const abort = new AbortController()
  const waiting = unlessAborted(never, abort.signal)
  abort.abort('canceled')
  await expect(waiting).rejects.toMatchObject({ cause: 'canceled' })
  await expect(unlessAborted(Promise.resolve(1), AbortSignal.abort())).rejects.toThrow('aborted')
})

it('mapOrAbort starts no further item once the signal aborts, and throws its reason', async () => {
  const abort = new AbortController()
  const started: number[] = []
  const mapped = mapOrAbort(abort.signal, { items: [1, 2, 3], concurrency: 1 }, async (item) => {
    started.push(item)
    if (item === 2) abort.abort(new Error('stopped'))
  })
  await expect(mapped).rejects.toThrow('stopped')
  expect(started).toEqual([1, 2])
})
