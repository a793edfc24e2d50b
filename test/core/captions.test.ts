import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cue, crowdedAt, maxShownCues, webVtt } from '../../src/core/captions.ts'

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

it('in WebVTT have quotation marks as they are', () => {
  const text = [...webVtt([{ start: 1, end: 2, text: `she said "a < b & 'c' --> d"` }])].join('')
  expect(text).toBe(`WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nshe said "a &lt; b &amp; 'c' --&gt; d"\n`)
})

function countAt(cues: readonly Cue[], seconds: number): number {
  return cues.filter(({ start, end }) => start <= seconds && end > seconds).length
}
