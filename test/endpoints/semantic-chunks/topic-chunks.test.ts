import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutIntoChunks, dipDepths, usualLengths } from '../../../src/endpoints/audio-semantic-chunks/topic-chunks.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

/** Sentences of 4 s, without pauses. */
const sentencesOf = (count: number) => Array.from({ length: count }, (_, at) => ({ start: at * 4, end: at * 4 + 4 }))
const cut = (similarities: number[], lengths: Partial<Parameters<typeof cutIntoChunks>[2]> = {}) =>
  cutIntoChunks(sentencesOf(similarities.length + 1), similarities, {
    targetSeconds: undefined,
    minSeconds: 0,
    ...lengths,
  })

describe('the depth of a dip', () => {
  it('is its fall from the nearest peak on each side, together', () => {
    const depths = dipDepths([0.5, 0.2, 0.6, 0.1, 0.1, 0.4])
    expect(depths.map((depth) => Math.round(depth * 10) / 10)).toEqual([0, 0.7, 0, 0.5, 0.3, 0])
    expect(dipDepths([])).toEqual([])
  })

  it('is never negative, and 0 where nothing changes', () => {
    const similarity = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(fc.property(fc.array(similarity), (all) => dipDepths(all).every((depth) => depth >= 0)))
    fc.assert(
      fc.property(similarity, fc.nat(50), (value, count) =>
        dipDepths(Array(count).fill(value)).every((depth) => depth === 0),
      ),
    )
  })
})

describe('chunks', () => {
  it('begin where the topic changes, and are one if it does not', async () => {
    expect(await cut([0.6, 0.7, 0.1, 0.7, 0.6, 0.05, 0.8])).toEqual([0, 3, 6])
    expect(await cut([0.6, 0.55, 0.6, 0.58])).toEqual([0])
    expect(await cut([])).toEqual([0])
    expect(await cutIntoChunks([], [], { targetSeconds: undefined, minSeconds: 0 })).toEqual([])
  })

  it('are not shorter than asked: of two near changes, the deeper one stays', async () => {
    const similarities = [0.6, 0.1, 0.7, 0.05, 0.8, 0.7]
    expect(await cut(similarities)).toEqual([0, 2, 4])
    expect(await cut(similarities, { minSeconds: 10 })).toEqual([0, 4])
    expect(await cut(similarities, { minSeconds: 60 })).toEqual([0])
  })

  it('are cut at shallow dips too where they are longer than asked', async () => {
    const similarities = [0.6, 0.55, 0.6, 0.5, 0.6, 0.55, 0.6]
    expect(await cut(similarities)).toEqual([0])
    expect(await cut(similarities, { targetSeconds: 16 })).toEqual([0, 4])
    expect(await cut(similarities, { targetSeconds: 8 })).toEqual([0, 2, 4, 6])
  })

  it('are cut at shallow dips until there are enough, and only at the deepest where there would be too many', async () => {
    const similarities = [0.6, 0.1, 0.7, 0.05, 0.8, 0.7, 0.75, 0.74]
    expect(await cut(similarities)).toEqual([0, 2, 4])
    expect(await cut(similarities, { minChunks: 4 })).toEqual([0, 2, 4, 6])
    expect(await cut(similarities, { minChunks: 4, minSeconds: 10 })).toEqual([0, 4])
    expect(await cut(similarities, { maxChunks: 2 })).toEqual([0, 4])
    expect(await cut(similarities, { maxChunks: 2, targetSeconds: 4 })).toEqual([0, 4])
  })

  it('are few enough to be read as chapters, and as far apart, where nothing is asked', async () => {
    const most = (minutes: number) => usualLengths(minutes * 60).maxChunks
    expect([0, 1, 5, 20, 60, 180].map(most)).toEqual([3, 3, 5, 11, 20, 34])
    // Each minute has three changes, of which one is clear.
    const similarities = Array.from({ length: 20 * 3 }, (_, change) => [
      0.7,
      0.7,
      0.7,
      0.7,
      change % 3 === 2 ? 0.1 : 0.2,
    ])
      .flat()
      .slice(0, -1)
    expect(await cut(similarities)).toHaveLength(60)
    const starts = await cut(similarities, usualLengths(20 * 60))
    expect(starts).toHaveLength(11)
    for (const [index, start] of starts.slice(1).entries()) {
      expect(start % 15).toBe(0)
      expect((start - (starts[index] ?? 0)) * 4).toBeGreaterThan(1200 / 11 / 2)
    }
  })

  it('are as many as asked even where changes of topic are too near for a usual chunk', async () => {
    const similarities = [0.6, 0.1, 0.7, 0.05, 0.8, 0.7]
    expect(await cut(similarities, { topicSeconds: 10 })).toEqual([0, 4])
    expect(await cut(similarities, { topicSeconds: 10, minChunks: 3 })).toEqual([0, 2, 4])
  })

  it('start in order with the first sentence, and keep to both lengths, whatever the dips are', async () => {
    const asked = fc.record({
      similarities: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 60 }),
      minSeconds: fc.integer({ min: 0, max: 40 }),
      more: fc.integer({ min: 0, max: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ similarities, minSeconds, more }) => {
        const targetSeconds = minSeconds + more
        const starts = await cut(similarities, { targetSeconds, minSeconds })
        expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b))
        expect(starts[0]).toBe(0)
        const lengths = starts.map((start, index) => ((starts[index + 1] ?? similarities.length + 1) - start) * 4)
        if (lengths.length > 1) for (const length of lengths) expect(length).toBeGreaterThanOrEqual(minSeconds)
        // Every sentence has 4 s: what is left uncut could only be cut into a piece that is too short.
        for (const length of lengths)
          expect(length <= Math.max(targetSeconds, 4) || length < 2 * Math.max(4, Math.ceil(minSeconds / 4) * 4)).toBe(
            true,
          )
      }),
    )
  })

  it('of a day of speech are cut while other work has its turns, whatever the dips are', bestOfThree, async () => {
    for (const similarityAt of [
      (index: number) => Math.abs(Math.sin(index * 12.9)) / 2,
      (index: number) => index / 1e5,
    ]) {
      const similarities = Array.from({ length: 40_000 }, (_, index) => similarityAt(index))
      const longest = await longestWork(async () =>
        expect((await cut(similarities, { targetSeconds: 8, minSeconds: 4 })).length).toBeGreaterThan(15_000),
      )
      expect(longest).toBeLessThan(tooLongMs)
    }
  })
})
