import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candidatesIn } from '../../../src/media/frames/choose-frames.ts'

const good = { luma: 118, deviation: 60, structure: 0.97, detail: 120, dark: 0, bright: 0, colourfulness: 70 }

/** A frame. Those with the same `look` look the same; a lower `colourfulness` is worse. */
const frameAt = (seconds: number, look: number, colourfulness = 70) => ({
  ...{ seconds, motion: 0, look, measures: { ...good, colourfulness } },
  fingerprint: Array.from({ length: 144 }, (_, index) => (index * look) % 256),
})

describe('candidates', () => {
  it('have every look, even of shots that are never the best of their time', () => {
    // One picture is the best of every second; twenty others appear once.
    const frames = Array.from({ length: 60 }, (_, at) => [
      frameAt(at, 3),
      frameAt(at + 0.5, at % 3 === 0 ? 7 + at : 3, 20),
    ]).flat()
    const looks = new Set(candidatesIn(frames, { start: 0, end: 60 }).map(({ look }) => look))
    expect(looks.size).toBe(21)
  })

  it('are in every part of the window, in the order of time', () => {
    const frames = Array.from({ length: 400 }, (_, at) => frameAt(at, 3, at % 70))
    const seconds = candidatesIn(frames, { start: 0, end: 400 }).map((each) => each.seconds)
    expect(new Set(seconds.map((each) => Math.floor(each / 10))).size).toBe(40)
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
  })

  it('are usable, different frames, and at most one a second and forty in all', () => {
    const frame = fc.tuple(fc.integer({ min: 0, max: 899 }), fc.integer({ min: 1, max: 60 }), fc.integer({ max: 90 }))
    const window = fc.integer({ min: 1, max: 90 })
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 80 }), window, (list, seconds) => {
        const frames = list.map(([at, look, colour]) => frameAt((at * seconds) / 900, look, colour))
        const flawed = { ...frameAt(0, 1), measures: { ...good, luma: 5 } }
        const chosen = candidatesIn([flawed, ...frames], { start: 0, end: seconds })
        expect(chosen.length).toBeLessThanOrEqual(Math.min(40, seconds))
        expect(new Set(chosen).size).toBe(chosen.length)
        expect(chosen).not.toContain(flawed)
        if (frames.length > 0) expect(chosen.length).toBeGreaterThan(0)
      }),
    )
  })
})
