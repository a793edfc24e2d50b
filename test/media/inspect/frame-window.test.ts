import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { framesWithin } from '../../../src/media/inspect/frame-window.ts'

const film = { starts: Array.from({ length: 100 }, (_, index) => index / 25), endSeconds: 4 }

describe('the frames of a window', () => {
  it('are those that start in it, and the last one ends with it', () => {
    expect(framesWithin(film, { start: 1.01, end: 2.01 })).toEqual({
      ...{ firstSeconds: 1.04, lastSeconds: 2, endSeconds: 2.01, frames: 25 },
    })
  })

  it('end with the video where the window is longer', () => {
    expect(framesWithin(film, { start: 3.5, end: 9 })?.endSeconds).toBeCloseTo(4)
  })

  it('are one where the window lies between two', () => {
    expect(framesWithin(film, { start: 1.01, end: 1.02 })).toMatchObject({
      firstSeconds: 1,
      frames: 1,
      endSeconds: 1.02,
    })
  })

  it('are none after the video', () => {
    expect(framesWithin(film, { start: 4.1, end: 5 })).toBeUndefined()
  })

  it('begin with a slide that is still shown, and end it with the window', () => {
    const slides = { starts: [0, 2, 4, 6], endSeconds: 8 }
    expect(framesWithin(slides, { start: 3, end: 5 })).toEqual({
      ...{ firstSeconds: 2, lastSeconds: 4, endSeconds: 5, frames: 2 },
    })
  })

  it('of windows side by side are each shown once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_900 }), fc.integer({ min: 100, max: 1_000 }), (startMs, lengthMs) => {
        const cut = (startMs + lengthMs) / 1000
        const first = framesWithin(film, { start: startMs / 1000, end: cut })
        const second = framesWithin(film, { start: cut, end: 9 })
        if (!first || !second) return
        expect(second.firstSeconds - first.lastSeconds).toBeCloseTo(0.04)
      }),
    )
  })
})
