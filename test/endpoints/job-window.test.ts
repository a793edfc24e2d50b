import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/core/errors.ts'
import type { JobWindow } from '../../src/core/segments.ts'
import { resolveWindow, windowMilliseconds } from '../../src/endpoints/parse-settings.ts'

const seconds = fc.integer({ min: 0, max: 3_600_000 }).map((milliseconds) => milliseconds / 1000)
const window = fc.record<JobWindow>({
  startSeconds: fc.option(seconds),
  endSeconds: fc.option(seconds),
})

describe('resolveWindow', () => {
  it('is the whole media without start and end', () => {
    expect(resolveWindow({ startSeconds: null, endSeconds: null }, 73)).toEqual({ start: 0, end: 73 })
  })

  it('limits an end that container rounding put past the media', () => {
    expect(resolveWindow({ startSeconds: 1, endSeconds: 10.05 }, 10)).toEqual({ start: 1, end: 10 })
  })

  it.each([
    ['start', { startSeconds: 10, endSeconds: null }],
    ['end', { startSeconds: 0, endSeconds: 10.2 }],
  ])('refuses a %s past the end with the length of the media', (field, asked) => {
    const resolve = () => resolveWindow(asked, 10)
    expect(resolve).toThrow(ServiceError)
    expect(resolve).toThrow(new RegExp(`^${field} .*10\\.000 s`))
  })
})

describe('windowMilliseconds', () => {
  it('is what resolveWindow resolves, rounded up, and never below 0', () => {
    fc.assert(
      fc.property(window, seconds, (asked, mediaSeconds) => {
        const milliseconds = windowMilliseconds(asked, mediaSeconds)
        expect(milliseconds).toBeGreaterThanOrEqual(0)
        const resolved = tryResolve(asked, mediaSeconds)
        if (resolved) expect(milliseconds).toBe(Math.max(0, Math.round((resolved.end - resolved.start) * 1000)))
      }),
    )
  })

  it('is unknown exactly while the end is that of unknown media', () => {
    fc.assert(
      fc.property(window, (asked) => {
        expect(windowMilliseconds(asked, undefined) === undefined).toBe(asked.endSeconds === null)
      }),
    )
  })
})

function tryResolve(asked: JobWindow, mediaSeconds: number) {
  try {
    return resolveWindow(asked, mediaSeconds)
  } catch {
    return undefined
  }
}
