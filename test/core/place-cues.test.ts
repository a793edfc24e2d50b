import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeCues, placeWords, type ShownRange } from '../../src/core/captions.ts'

/** Ranges of a source in whole seconds, joined in a clip. */
const joined = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 5 }), length: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((all) => {
    let [at, end] = [0, 0]
    return all.map(({ gap, length }): ShownRange => {
      const presented = { start: end + gap, end: end + gap + length }
      const range = { presented, atSeconds: at }
      at += length
      end = presented.end
      return range
    })
  })

const spans = fc.array(
  fc
    .record({ start: fc.integer({ min: 0, max: 60_000 }), length: fc.integer({ min: 1, max: 8_000 }) })
    .map(({ start, length }) => ({
      ...{ start: start / 1000, end: (start + length) / 1000, text: 'x' },
    })),
  { maxLength: 20 },
)

describe('what is placed in a clip', () => {
  it('lies in the clip, as long as what the clip shows of it', () => {
    fc.assert(
      fc.property(joined, spans, (ranges, cues) => {
        const length = ranges.reduce((sum, { presented }) => sum + presented.end - presented.start, 0)
        const { cues: placed, outside } = placeCues(cues, ranges)
        expect(placed.length + outside).toBe(cues.length)
        for (const { start, end } of placed) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeLessThanOrEqual(length + 1e-9)
        }
        const shown = cues.map((cue) =>
          ranges.reduce(
            (sum, { presented }) =>
              sum + Math.max(0, Math.min(cue.end, presented.end) - Math.max(cue.start, presented.start)),
            0,
          ),
        )
        const lengths = placed.map(({ start, end }) => end - start)
        const expected = shown.filter((seconds) => seconds >= 0.02 - 1e-9)
        expect(lengths).toHaveLength(expected.length)
        for (const [index, seconds] of lengths.entries()) expect(seconds).toBeCloseTo(expected[index] ?? -1, 6)
      }),
    )
  })

  it('has the words whose middles the clip shows, each at its own sound', () => {
    fc.assert(
      fc.property(joined, spans, (ranges, words) => {
        for (const word of placeWords(words, ranges)) {
          const range = ranges.findLast(({ atSeconds }) => atSeconds <= (word.start + word.end) / 2)
          expect(range && word.end <= range.atSeconds + range.presented.end - range.presented.start + 1e-9).toBe(true)
          const shift = (range?.atSeconds ?? 0) - (range?.presented.start ?? 0)
          expect(
            words.some(
              ({ start, end }) =>
                Math.abs(Math.max(start, range?.presented.start ?? 0) + shift - word.start) < 1e-6 && end >= start,
            ),
          ).toBe(true)
        }
      }),
    )
    const ranges = [
      { presented: { start: 1, end: 2 }, atSeconds: 0 },
      { presented: { start: 5, end: 6 }, atSeconds: 1 },
    ]
    const words = [0.5, 1.2, 3, 5.5].map((start) => ({ start, end: start + 0.2 }))
    expect(placeWords(words, ranges)).toEqual([
      { start: expect.closeTo(0.2, 9), end: expect.closeTo(0.4, 9) },
      { start: 1.5, end: expect.closeTo(1.7, 9) },
    ])
  })
})
