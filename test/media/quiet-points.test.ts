import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestQuietPoint, quietestPoint } from '../../src/media/quiet-points.ts'

const reach = { start: 8, end: 12 }

describe('the nearest quiet point', () => {
  it('is the asked one where that is quiet', () => {
    expect(nearestQuietPoint([{ start: 9, end: 11 }], 10, reach)).toBe(10)
  })

  it('keeps a margin from the sound', () => {
    expect(nearestQuietPoint([{ start: 10.5, end: 11 }], 10, reach)).toBeCloseTo(10.55)
    expect(nearestQuietPoint([{ start: 9, end: 9.5 }], 10, reach)).toBeCloseTo(9.45)
  })

  it('is the middle of a short one', () => {
    expect(nearestQuietPoint([{ start: 10.5, end: 10.56 }], 10, reach)).toBeCloseTo(10.53)
  })

  it('is not there where no quiet stretch reaches in', () => {
    expect(nearestQuietPoint([{ start: 0, end: 8 }], 10, reach)).toBeUndefined()
  })

  it('lies in a quiet stretch and in reach, whatever they are', () => {
    const stretch = fc.tuple(fc.double({ min: 0, max: 20, noNaN: true }), fc.double({ min: 0.01, max: 5, noNaN: true }))
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 8 }), (stretches) => {
        const quiet = stretches.map(([start, length]) => ({ start, end: start + length }))
        const point = nearestQuietPoint(quiet, 10, reach)
        if (point === undefined) return
        expect(point).toBeGreaterThanOrEqual(reach.start)
        expect(point).toBeLessThanOrEqual(reach.end)
        expect(quiet.some(({ start, end }) => point >= start && point <= end)).toBe(true)
      }),
    )
  })
})

it('the quietest point is the middle of the quietest window', () => {
  const windows = { power: Float64Array.of(0.5, 0.1, 0.3), peak: Float64Array.of(1, 1, 1) }
  expect(quietestPoint(windows, 0.02, 8)).toBeCloseTo(8.03)
})
