import { describe, expect, it } from 'vitest'
import { gapSimilarities, topicGapsWithin } from '../../../src/media/speech/topic-gaps.ts'

const [one, other] = [Float32Array.of(1, 0), Float32Array.of(0, 1)]

describe('topic gaps', () => {
  it('compare the three sentences before with the three after', async () => {
    // After a gap within a topic come two sentences of it and one of the other: 2/√5, and so on.
    expect(await gapSimilarities([one, one, one, other, other, other])).toEqual([0.8944, 0.4472, 0, 0.4472, 0.8944])
    expect(await gapSimilarities([one, one])).toEqual([1])
    expect(await gapSimilarities([one])).toEqual([])
    expect(await gapSimilarities([])).toEqual([])
  })

  it('of a window are those between its sentences', () => {
    const sentences: [number, number][] = [
      [0, 2],
      [3, 5],
      [6, 8],
      [9, 11],
    ]
    const gaps = { sentences, similarities: [0.1, 0.2, 0.3] }
    expect(topicGapsWithin(gaps, { start: 0, end: 20 })).toEqual(gaps)
    expect(topicGapsWithin(gaps, { start: 3.5, end: 7.5 })).toEqual({
      sentences: sentences.slice(1, 3),
      similarities: [0.2],
    })
    expect(topicGapsWithin(gaps, { start: 6, end: 8 })).toEqual({ sentences: [[6, 8]], similarities: [] })
    expect(topicGapsWithin(gaps, { start: 12, end: 20 })).toEqual({ sentences: [], similarities: [] })
  })
})
