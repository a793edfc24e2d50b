import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clampTo,
  complement,
  dropShorterThan,
  durationOf,
  hullOf,
  intersect,
  joinAcross,
  normalize,
  pad,
  type Segment,
  subtract,
} from '../../src/core/segments.ts'

// Whole seconds, so that the half seconds between them determine exactly what is covered.
const lengthSeconds = 40
const second = fc.integer({ min: 0, max: lengthSeconds })
const segments = fc.array(fc.record({ start: second, end: second }), { maxLength: 12 })
const within = fc.tuple(second, second).map(([a, b]): Segment => ({ start: Math.min(a, b), end: Math.max(a, b) }))
const points = Array.from({ length: lengthSeconds }, (_, index) => index + 0.5)

const covers = (list: readonly Segment[], point: number) => list.some(({ start, end }) => start <= point && point < end)
const coverage = (list: readonly Segment[]) => points.filter((point) => covers(list, point))

function expectSortedAndApart(list: readonly Segment[]) {
  for (const [index, { start, end }] of list.entries()) {
    expect(end).toBeGreaterThan(start)
    expect(start).toBeGreaterThan(list[index - 1]?.end ?? Number.NEGATIVE_INFINITY)
  }
}

describe('normalize', () => {
  it('covers the same times, with segments in order that do not touch', () => {
    fc.assert(
      fc.property(segments, (list) => {
        const normal = normalize(list)
        expectSortedAndApart(normal)
        expect(coverage(normal)).toEqual(coverage(list))
      }),
    )
  })

  it('is idempotent, and does not change its input', () => {
    fc.assert(
      fc.property(segments, (list) => {
        const before = structuredClone(list)
        const normal = normalize(list)
        expect(normalize(normal)).toEqual(normal)
        expect(list).toEqual(before)
      }),
    )
  })

  it('does not depend on the order', () => {
    fc.assert(
      fc.property(segments, (list) => {
        expect(normalize(list.toReversed())).toEqual(normalize(list))
      }),
    )
  })
})

describe('complement', () => {
  it('covers exactly the rest of the bounds', () => {
    fc.assert(
      fc.property(segments, within, (list, bounds) => {
        const gaps = complement(list, bounds)
        expectSortedAndApart(gaps)
        expect(coverage(gaps)).toEqual(points.filter((point) => covers([bounds], point) && !covers(list, point)))
      }),
    )
  })

  it('applied twice returns the segments, cut to the bounds', () => {
    fc.assert(
      fc.property(segments, within, (list, bounds) => {
        expect(complement(complement(list, bounds), bounds)).toEqual(clampTo(list, bounds))
      }),
    )
  })

  it('and the segments add up to the length of the bounds', () => {
    fc.assert(
      fc.property(segments, within, (list, bounds) => {
        const parts = [...complement(list, bounds), ...clampTo(list, bounds)]
        expect(parts.reduce((sum, part) => sum + durationOf(part), 0)).toBe(durationOf(bounds))
      }),
    )
  })
})

it('the hull of segments is from the first start to the last end, in any order', () => {
  const list = [
    { start: 5, end: 9 },
    { start: 1, end: 2 },
    { start: 6, end: 7 },
  ]
  expect(hullOf(list)).toEqual([{ start: 1, end: 9 }])
  expect(hullOf([])).toEqual([])
})

describe('intersect', () => {
  it('covers the times that both cover', () => {
    fc.assert(
      fc.property(segments, segments, (a, b) => {
        const both = intersect(a, b)
        expectSortedAndApart(both)
        expect(coverage(both)).toEqual(points.filter((point) => covers(a, point) && covers(b, point)))
        expect(both).toEqual(intersect(b, a))
      }),
    )
  })
})

describe('subtract', () => {
  it('covers the times that the first covers and the second does not', () => {
    fc.assert(
      fc.property(segments, segments, (a, b) => {
        const left = subtract(a, b)
        expectSortedAndApart(left)
        expect(coverage(left)).toEqual(points.filter((point) => covers(a, point) && !covers(b, point)))
      }),
    )
  })

  it('and the intersection add up to the whole', () => {
    fc.assert(
      fc.property(segments, segments, (a, b) => {
        expect(normalize([...subtract(a, b), ...intersect(a, b)])).toEqual(normalize(a))
      }),
    )
  })
})

describe('joinAcross', () => {
  it('leaves only longer gaps, and still covers every segment', () => {
    fc.assert(
      fc.property(segments, fc.nat(5), (list, seconds) => {
        const joined = joinAcross(list, seconds)
        expectSortedAndApart(joined)
        for (const [index, { start }] of joined.entries()) {
          expect(start - (joined[index - 1]?.end ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(seconds)
        }
        expect(subtract(list, joined)).toEqual([])
        const gaps = subtract(joined, list)
        expect(gaps.every((gap) => durationOf(gap) <= seconds)).toBe(true)
      }),
    )
  })
})

it('two long timelines are intersected in one pass', () => {
  const list = Array.from({ length: 200_000 }, (_, at) => ({ start: at * 2, end: at * 2 + 1.5 }))
  const shifted = list.map(({ start, end }) => ({ start: start + 1, end: end + 1 }))
  const began = performance.now()
  expect(intersect(list, shifted)).toHaveLength(399_999)
  expect(performance.now() - began).toBeLessThan(5_000)
})

describe('pad', () => {
  it('covers every point within the padding of a segment, and none outside the bounds', () => {
    fc.assert(
      fc.property(segments, fc.nat(5), within, (list, seconds, bounds) => {
        const filled = normalize(list)
        const near = (point: number) =>
          filled.some(({ start, end }) => start - seconds <= point && point < end + seconds)
        const padded = pad(filled, seconds, bounds)
        expectSortedAndApart(padded)
        expect(coverage(padded)).toEqual(points.filter((point) => covers([bounds], point) && near(point)))
      }),
    )
  })

  it('with a negative length drops segments that shrink to nothing', () => {
    const bounds = { start: 0, end: 10 }
    const list = [
      { start: 1, end: 2 },
      { start: 4, end: 8 },
    ]
    expect(pad(list, -1, bounds)).toEqual([{ start: 5, end: 7 }])
  })
})

it('dropShorterThan keeps a segment of exactly the length', () => {
  const list = [
    { start: 0, end: 0.5 },
    { start: 1, end: 1.25 },
  ]
  expect(dropShorterThan(list, 0.5)).toEqual([{ start: 0, end: 0.5 }])
})

it('dropShorterThan keeps a sound of 100 ms wherever it is', () => {
  const sounds = Array.from({ length: 10_000 }, (_, ms) => ({ start: (ms + 1000) / 1000, end: (ms + 1100) / 1000 }))
  expect(dropShorterThan(sounds, 0.1)).toHaveLength(sounds.length)
})
