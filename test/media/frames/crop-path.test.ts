import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CropPoint } from '../../../src/core/picture.ts'
import { centreOfBoxes, holdAt, type LookedAt, reachSeconds, smoothPath } from '../../../src/media/frames/crop-path.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

const room = { along: 'x', share: 0.3 } as const

/** Looks twice a second, with faces at some of them and cuts at a few. */
const looks = fc
  .array(
    fc.record({
      centre: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      beginsShot: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
    }),
    { maxLength: 60 },
  )
  .map((all): LookedAt[] => all.map((each, index) => ({ subject: 'faces', seconds: index / 2, ...each })))

/** Where a path is at a moment. */
function placeAt(path: readonly CropPoint[], seconds: number): number {
  const index = path.findLastIndex((point) => point.seconds <= seconds)
  const [from, to] = [path[index], path[index + 1]]
  if (!from || !to || to.seconds === from.seconds) return from?.at ?? path[0]?.at ?? Number.NaN
  return from.at + ((to.at - from.at) * (seconds - from.seconds)) / (to.seconds - from.seconds)
}

const face = (x: number, width: number) => ({ x, y: 0.2, width, height: width })

describe('the path of a crop', () => {
  it('stays in its room, covers its window in order, and moves gently between cuts', async () => {
    await fc.assert(
      fc.asyncProperty(looks, async (seen) => {
        const window = { start: 1.3, end: 27.1 }
        const path = await smoothPath(seen, room, window, ['faces'])
        expect(path[0]?.seconds).toBeLessThanOrEqual(window.start)
        expect(path.at(-1)?.seconds).toBeGreaterThanOrEqual(window.end)
        for (const [index, { seconds, at }] of path.entries()) {
          expect(at).toBeGreaterThanOrEqual(0)
          expect(at).toBeLessThanOrEqual(1)
          const before = path[index - 1]
          if (!before) continue
          const passed = seconds - before.seconds
          expect(passed).toBeGreaterThanOrEqual(0)
          const isCut = passed === 0 && seen.some((each) => each.beginsShot && each.seconds === seconds)
          // Across the whole picture in no less than 0.4 seconds.
          if (!isCut) expect(Math.abs(at - before.at) * (1 - room.share)).toBeLessThanOrEqual(passed * 2.5 + 1e-9)
        }
      }),
    )
  })

  it('is the same in a piece of the film as in the whole', async () => {
    const times = fc.double({ min: 8, max: 20, noNaN: true })
    await fc.assert(
      fc.asyncProperty(looks, times, async (seen, start) => {
        const window = { start, end: start + 3 }
        const whole = await smoothPath(seen, room, { start: 0, end: 30 }, ['faces'])
        const nearby = seen
          .filter(({ seconds }) => seconds >= window.start - reachSeconds && seconds <= window.end + reachSeconds)
          // Nothing is before the first frame that is read.
          .map((each, index) => (index === 0 ? { ...each, beginsShot: false } : each))
        const piece = await smoothPath(nearby, room, window, ['faces'])
        for (let seconds = start + 0.01; seconds < window.end; seconds += 0.3)
          expect(placeAt(piece, seconds)).toBeCloseTo(placeAt(whole, seconds), 6)
      }),
    )
  })

  it('keeps still over a face that hardly moves, and jumps where the film cuts', async () => {
    const seen = Array.from({ length: 40 }, (_, index) => {
      const seconds = index / 2
      const sway = index % 2 === 0 ? 0.004 : -0.004
      return {
        subject: 'faces' as const,
        seconds,
        centre: (seconds < 10 ? 0.25 : 0.75) + sway,
        beginsShot: seconds === 10,
      }
    })
    const at = (centre: number) => (centre - 0.15) / 0.7
    expect(await smoothPath(seen, room, { start: 0, end: 19 }, ['faces'])).toEqual([
      { seconds: 0, at: expect.closeTo(at(0.25), 6), follows: 'faces' as const },
      { seconds: 10, at: expect.closeTo(at(0.25), 6), follows: 'faces' as const },
      { seconds: 10, at: expect.closeTo(at(0.75), 6), follows: 'faces' as const },
      { seconds: 19, at: expect.closeTo(at(0.75), 6), follows: 'faces' as const },
    ])
  })

  it('lets other work have its turns, in an hour without a cut and with five a second', bestOfThree, async () => {
    for (const cutEvery of [Number.POSITIVE_INFINITY, 1]) {
      const seen = Array.from({ length: 18_000 }, (_, index) => ({
        ...{
          subject: 'faces' as const,
          seconds: index / 5,
          centre: (index * 0.37) % 1,
          beginsShot: index > 0 && index % cutEvery === 0,
        },
      }))
      expect(await longestWork(() => smoothPath(seen, room, { start: 0, end: 3_600 }, ['faces']))).toBeLessThan(
        tooLongMs,
      )
    }
  })

  it('is the same in a piece where subjects take turns', async () => {
    const subjects = ['text', 'faces', 'motion'] as const
    const layers = fc
      .tuple(looks, looks, looks)
      .map((all) =>
        all
          .flatMap((layer, index) =>
            layer.map((look) => ({ ...look, subject: subjects[index] ?? 'text', seconds: look.seconds + index / 10 })),
          )
          .toSorted((a, b) => a.seconds - b.seconds),
      )
    await fc.assert(
      fc.asyncProperty(layers, fc.double({ min: 8, max: 20, noNaN: true }), async (seen, start) => {
        const window = { start, end: start + 3 }
        const whole = await smoothPath(seen, room, { start: 0, end: 30 }, subjects)
        const nearby = seen
          .filter(({ seconds }) => seconds >= window.start - reachSeconds && seconds <= window.end + reachSeconds)
          .map((each, index) => (index === 0 ? { ...each, beginsShot: false } : each))
        const piece = await smoothPath(nearby, room, window, subjects)
        const followsAt = (path: readonly CropPoint[], seconds: number) =>
          path.findLast((point) => point.seconds <= seconds)?.follows
        for (let seconds = start + 0.01; seconds < window.end; seconds += 0.3) {
          expect(placeAt(piece, seconds)).toBeCloseTo(placeAt(whole, seconds), 6)
          expect(followsAt(piece, seconds)).toBe(followsAt(whole, seconds))
        }
      }),
    )
  })

  it('stays where it is while what moves does so within the middle of the crop, and goes along beyond', async () => {
    const moving = (centreAt: (seconds: number) => number) =>
      Array.from({ length: 50 }, (_, index) => ({
        ...{ subject: 'motion' as const, seconds: index * 0.4, beginsShot: false },
        centre: centreAt(index * 0.4),
      }))
    const window = { start: 5, end: 14 }
    const swaying = await smoothPath(
      moving((seconds) => 0.5 + 0.07 * Math.sin(seconds)),
      room,
      window,
      ['motion'],
    )
    expect(new Set(swaying.map(({ at }) => at.toFixed(6))).size).toBe(1)
    const passing = await smoothPath(
      moving((seconds) => seconds / 20),
      room,
      { start: 0, end: 19 },
      ['motion'],
    )
    expect([placeAt(passing, 1), placeAt(passing, 18)]).toEqual([0, 1])
  })

  it('is not moved by what moves in one frame, or is read in one', async () => {
    for (const subject of ['motion', 'text'] as const) {
      const seen = Array.from({ length: 50 }, (_, index) => ({
        ...{ subject, seconds: index * 0.4, beginsShot: false, centre: index === 20 ? 0.9 : undefined },
      }))
      expect((await smoothPath(seen, room, { start: 0, end: 19 }, [subject])).map(({ at }) => at)).toEqual([
        expect.closeTo(0.5, 6),
        expect.closeTo(0.5, 6),
      ])
    }
  })

  it('keeps to the centre without a face', async () => {
    expect(await smoothPath([], room, { start: 2, end: 5 }, ['faces'])).toEqual([
      { seconds: 2, at: expect.closeTo(0.5, 6), follows: 'centre' },
      { seconds: 5, at: expect.closeTo(0.5, 6), follows: 'centre' },
    ])
  })
})

describe('a path with points', () => {
  const path = [
    { seconds: 0, at: 0.2, follows: 'faces' as const },
    { seconds: 10, at: 0.4, follows: 'faces' as const },
  ]
  const window = { start: 0, end: 10 }

  it('keeps to them in their stretches, and is as before elsewhere', () => {
    const held = holdAt(path, [{ start: 4, end: 6, x: 0.85, y: 0 }], room, window)
    expect([3.99, 4, 5.99, 6, 10].map((seconds) => placeAt(held, seconds))).toEqual(
      [0.28, 1, 1, 0.32, 0.4].map((at) => expect.closeTo(at, 2)),
    )
    expect(holdAt(path, [{ start: 20, end: 30, x: 0, y: 0 }], room, window)).toEqual(path)
  })

  it('takes the later of two for the same moment, and keeps to the centre elsewhere without a path', () => {
    const points = [
      { start: 0, end: 100, x: 0, y: 0 },
      { start: 2, end: 3, x: 1, y: 0 },
    ]
    const held = holdAt([], points, room, window)
    expect([1, 2, 3].map((seconds) => placeAt(held, seconds))).toEqual([0, 1, 0])
    const apart = holdAt([], [{ start: 2, end: 3, x: 1, y: 0 }], room, window)
    expect([1, 2, 3].map((seconds) => placeAt(apart, seconds))).toEqual([0.5, 1, 0.5])
  })

  it('keeps to points whose stretches adjoin, and leaves what is before a cut', () => {
    const adjoining = [
      { start: 0, end: 5, x: 0, y: 0 },
      { start: 5, end: 10, x: 1, y: 0 },
    ]
    const held = holdAt([], adjoining, room, window)
    expect([0, 2.5, 4.99, 5, 9.99].map((seconds) => placeAt(held, seconds))).toEqual([0, 0, 0, 1, 1])
    const cut = [0, 5, 5, 10].map((seconds, index) => ({
      ...{ seconds, at: index < 2 ? 0.2 : 0.8, follows: 'faces' as const },
    }))
    const after = holdAt(cut, [{ start: 5, end: 7, x: 1, y: 0 }], room, window)
    expect([2.5, 4.99, 5, 6.99, 7].map((seconds) => placeAt(after, seconds))).toEqual([0.2, 0.2, 1, 1, 0.8])
  })

  it('is in the order of time', () => {
    const stretch = fc.tuple(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 8 }), (stretches) => {
        const points = stretches.map(([start, length, x]) => ({ start, end: start + length, x, y: 0 }))
        const times = holdAt(path, points, room, window).map(({ seconds }) => seconds)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('the faces that a crop is centred on', () => {
  it('has as many inside as fit, and of two far apart the larger', () => {
    expect(centreOfBoxes([face(0.4, 0.1), face(0.55, 0.1)], room)).toBeCloseTo(0.525)
    expect(centreOfBoxes([face(0, 0.1), face(0.8, 0.15)], room)).toBeCloseTo(0.875)
  })

  it('does not swing between two people of about the same size', () => {
    for (const [left, right] of [
      [0.1, 0.11],
      [0.11, 0.1],
    ])
      expect(centreOfBoxes([face(0.8, right ?? 0), face(0, left ?? 0)], room)).toBeLessThan(0.1)
  })
})
