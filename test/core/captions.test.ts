import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cue, crowdedAt, maxShownCues } from '../../src/core/captions.ts'

const cues = fc
  .array(fc.record({ start: fc.integer({ min: 0, max: 20 }), length: fc.integer({ min: 1, max: 20 }) }), {
    maxLength: 30,
  })
  .map((all) =>
    all
      .map(({ start, length }): Cue => ({ start, end: start + length, text: 'x' }))
      .toSorted((a, b) => a.start - b.start),
  )

describe('captions that overlap', () => {
  it('are crowded where more are shown than fit into a picture', () => {
    fc.assert(
      fc.property(cues, (shown) => {
        const crowds = shown.map(({ start }) => start).filter((at) => countAt(shown, at) > maxShownCues)
        expect(crowdedAt(shown)).toBe(crowds[0])
      }),
    )
  })
})

function countAt(cues: readonly Cue[], seconds: number): number {
  return cues.filter(({ start, end }) => start <= seconds && end > seconds).length
}
