import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseBestFrames, type FoundFrame, foundFramesKind } from '../../../src/media/frames/choose-frames.ts'
import { differenceOf, qualityOfFace, scoreOf } from '../../../src/media/frames/frame-quality.ts'

const good = { luma: 118, deviation: 60, structure: 0.97, detail: 120, dark: 0, bright: 0, colourfulness: 70 }

/** A good frame, in a shot of ten seconds. Frames with the same `look` look the same. */
function frameAt(seconds: number, look: number, changed: Partial<FoundFrame['measures']> = {}): FoundFrame {
  const start = Math.floor(seconds / 10) * 10
  const fingerprint = Array.from({ length: 144 }, (_, index) => (index * look) % 256)
  return {
    seconds,
    shot: { start, end: start + 10 },
    measures: { ...good, ...changed },
    motion: 0,
    fingerprint,
    faces: [],
  }
}

const timesOf = (frames: readonly FoundFrame[], count: number) =>
  chooseBestFrames(frames, count).map(({ frame }) => frame.seconds)

it('frames of an earlier job have their shots within the window', () => {
  const whole = { start: 0, end: 20, frames: [frameAt(4, 3), frameAt(8, 7), frameAt(17, 11)] }
  const within = foundFramesKind.within(whole, { start: 5, end: 19 })
  expect(within?.frames.map(({ shot }) => shot)).toEqual([
    { start: 5, end: 10 },
    { start: 10, end: 19 },
  ])
  expect(foundFramesKind.within(whole, { start: 0, end: 20 })).toEqual(whole)
})

describe('choosing frames', () => {
  it('takes other shots before a second frame of the same shot', () => {
    const frames = [frameAt(1, 3), frameAt(5, 7), frameAt(12, 11, { colourfulness: 10 })]
    expect(timesOf(frames, 2).toSorted((a, b) => a - b)).toEqual([1, 12])
    expect(timesOf(frames, 3)).toHaveLength(3)
  })

  it('takes one of frames that look the same, the better one', () => {
    expect(timesOf([frameAt(1, 3, { colourfulness: 10 }), frameAt(25, 3)], 5)).toEqual([25])
  })

  it('takes no frame with a flaw', () => {
    const flawed = [{ luma: 10 }, { dark: 0.9 }, { bright: 0.9 }, { deviation: 5 }, { structure: 0.4 }, { detail: 3 }]
    expect(
      timesOf(
        flawed.map((changed, index) => frameAt(index * 10, index + 3, changed)),
        5,
      ),
    ).toEqual([])
  })

  it('always takes at most the count, the best first, never two alike, and the same for any order', () => {
    const seconds = fc.integer({ min: 0, max: 600 }).map((tenths) => tenths / 10)
    const frame = fc
      .tuple(
        seconds,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 90 }),
      )
      .map(([time, look, detail, deviation]) => frameAt(time, look, { detail, deviation }))
    const frames = fc.uniqueArray(frame, { selector: (each) => each.seconds, maxLength: 40 })
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 20 }), (found, count) => {
        const chosen = chooseBestFrames(found, count)
        expect(chosen.length).toBeLessThanOrEqual(count)
        const scores = chosen.map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((a, b) => b - a))
        for (const score of scores) expect(score).toBeLessThanOrEqual(1)
        for (const [index, { frame: one }] of chosen.entries())
          for (const { frame: other } of chosen.slice(index + 1))
            expect(differenceOf(one.fingerprint, other.fingerprint)).toBeGreaterThanOrEqual(8)
        expect(chooseBestFrames(found.toReversed(), count)).toEqual(chosen)
      }),
    )
  })
})

describe('the score of a frame', () => {
  it('is 0 to 1', () => {
    const none = { sharpness: 0, exposure: 0, contrast: 0, colour: 0, faces: 0, stillness: 0 }
    const all = { sharpness: 1, exposure: 1, contrast: 1, colour: 1, faces: 1, stillness: 1 }
    expect(scoreOf(none)).toBe(0)
    expect(scoreOf(all)).toBeCloseTo(1)
  })

  it('counts faces that are sure and wholly in the frame', () => {
    const face = { x: 0.4, y: 0.3, width: 0.15, height: 0.25, score: 0.9 }
    expect(qualityOfFace(face)).toBe(1)
    expect(qualityOfFace({ ...face, height: 0.08 })).toBeLessThan(0.6)
    expect(qualityOfFace({ ...face, score: 0.7 })).toBe(0)
    expect(qualityOfFace({ ...face, x: -0.05 })).toBe(0)
    expect(qualityOfFace({ ...face, y: 0.76 })).toBe(0)
  })
})
