import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestCutPoint, quietestPoint } from '../../src/media/choose-edges.ts'

const reach = { start: 8, end: 12 }

describe('the nearest point to cut at, without speech', () => {
  const nearestQuiet = (...quiet: { start: number; end: number }[]) =>
    nearestCutPoint({ speech: [], quiet }, 10, reach)?.seconds

  it('is the asked one where that is quiet', () => {
    expect(nearestQuiet({ start: 9, end: 11 })).toBe(10)
  })

  it('keeps a margin from the sound', () => {
    expect(nearestQuiet({ start: 10.5, end: 11 })).toBeCloseTo(10.55)
    expect(nearestQuiet({ start: 9, end: 9.5 })).toBeCloseTo(9.45)
  })

  it('is the middle of a short one', () => {
    expect(nearestQuiet({ start: 10.5, end: 10.56 })).toBeCloseTo(10.53)
  })

  it('is not there where no quiet stretch reaches in', () => {
    expect(nearestQuiet({ start: 0, end: 8 })).toBeUndefined()
    expect(nearestQuiet({ start: 0, end: 8.02 })).toBeUndefined()
    expect(nearestQuiet()).toBeUndefined()
  })
})

describe('the nearest point to cut at, with speech', () => {
  it('passes by quiet that lies within speech', () => {
    const speech = [{ start: 7, end: 11 }]
    const quiet = [
      { start: 9.9, end: 10.1 },
      { start: 11.2, end: 12 },
    ]
    expect(nearestCutPoint({ speech, quiet }, 10, reach)).toEqual({ seconds: 11.25, isQuiet: true })
  })

  it('is in a pause, away from its edges, where no pause is quiet', () => {
    const speech = [
      { start: 7, end: 10.5 },
      { start: 11.5, end: 13 },
    ]
    expect(nearestCutPoint({ speech, quiet: [] }, 10, reach)).toEqual({ seconds: 10.65, isQuiet: false })
    expect(nearestCutPoint({ speech, quiet: [{ start: 9, end: 9.2 }] }, 10, reach)).toMatchObject({ isQuiet: false })
  })

  it('is quiet where speech has no pause', () => {
    const speech = [{ start: 7, end: 13 }]
    expect(nearestCutPoint({ speech, quiet: [{ start: 9, end: 9.2 }] }, 10, reach)?.seconds).toBeCloseTo(9.15)
    expect(nearestCutPoint({ speech, quiet: [] }, 10, reach)).toBeUndefined()
  })
})

describe('the nearest point to cut at, whatever is heard,', () => {
  const stretch = fc
    .tuple(fc.double({ min: 0, max: 20, noNaN: true }), fc.double({ min: 0.01, max: 5, noNaN: true }))
    .map(([start, length]) => ({ start, end: start + length }))
  const stretches = fc.array(stretch, { maxLength: 8 })

  it('is in reach, quiet where it says so, and else in a pause', () => {
    fc.assert(
      fc.property(stretches, stretches, (speech, quiet) => {
        const point = nearestCutPoint({ speech, quiet }, 10, reach)
        if (!point) return
        const isIn = (all: typeof quiet) => all.some(({ start, end }) => point.seconds > start && point.seconds < end)
        expect(point.seconds).toBeGreaterThanOrEqual(reach.start)
        expect(point.seconds).toBeLessThanOrEqual(reach.end)
        expect(point.isQuiet ? isIn(quiet) : !isIn(speech)).toBe(true)
      }),
    )
  })
})

it('the quietest point is the middle of the quietest window', () => {
  const windows = { power: Float64Array.of(0.5, 0.1, 0.3), peak: Float64Array.of(1, 1, 1) }
  expect(quietestPoint(windows, 0.02, 8)).toBeCloseTo(8.03)
})
