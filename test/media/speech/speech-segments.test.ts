import { describe, expect, it } from 'vitest'
import { speechSegments } from '../../../src/media/speech/find-speech.ts'

/** Chances in frames of 32 ms, from `startSeconds` on; segments in frames, without what they are padded with. */
function segmentsOf(chances: number[], startSeconds = 10) {
  return speechSegments(Float32Array.from(chances), startSeconds).map(({ start, end }) => ({
    start: Math.round((start + 0.03 - startSeconds) / 0.032),
    end: Math.round((end - 0.03 - startSeconds) / 0.032),
  }))
}

const times = (count: number, chance: number) => Array.from({ length: count }, () => chance)

describe('speech', () => {
  it('starts above one chance and ends below a lower one', () => {
    expect(segmentsOf([0, 0.4, 0.6, 0.9, 0.4, 0.4, 0.4, 0.4, 0.1, 0.1, 0.1, 0.1, 0])).toEqual([{ start: 2, end: 8 }])
  })

  it('goes on over a pause of less than 100 ms', () => {
    expect(segmentsOf([0, 0.9, ...times(3, 0), 0.9, ...times(4, 0)])).toEqual([{ start: 1, end: 6 }])
    expect(segmentsOf([0, 0.9, ...times(4, 0), 0.9, ...times(4, 0)])).toEqual([
      { start: 1, end: 2 },
      { start: 6, end: 7 },
    ])
  })

  it('goes on to the end where it does not stop', () => {
    expect(speechSegments(Float32Array.of(0, 0.9, 0.9), 1)).toEqual([{ start: 1.032 - 0.03, end: 1.096 }])
    expect(speechSegments(Float32Array.of(0, 0), 1)).toEqual([])
  })
})
