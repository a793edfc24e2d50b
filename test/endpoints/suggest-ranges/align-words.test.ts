import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  alignWords,
  masksOf,
  type WordPair,
  withFewerBreaks,
} from '../../../src/endpoints/timeline-suggest-ranges/keep-text.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

const words = (maxLength: number) => fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength })

/** The most pairs, by the textbook's table. */
function mostPairs(text: readonly string[], spoken: readonly string[]): number {
  let row = [0, ...spoken.map(() => 0)]
  for (const word of text) {
    const next = [0]
    for (const [at, other] of spoken.entries())
      next.push(word === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}

it('pairs as many equal words as possible, in the order of both', async () => {
  await fc.assert(
    fc.asyncProperty(words(80), words(80), async (text, spoken) => {
      const aligned = await alignWords(text, spoken)
      for (const pairs of [aligned, withFewerBreaks(aligned, text, spoken)]) {
        expect(pairs).toHaveLength(mostPairs(text, spoken))
        for (const [index, pair] of pairs.entries()) {
          expect(text[pair.text]).toBe(spoken[pair.spoken])
          expect(pair.text).toBeGreaterThan(pairs[index - 1]?.text ?? -1)
          expect(pair.spoken).toBeGreaterThan(pairs[index - 1]?.spoken ?? -1)
        }
      }
    }),
  )
})

it('moves words together, and never apart', async () => {
  const breaks = (pairs: readonly WordPair[]) =>
    pairs.filter(({ spoken }, index) => spoken !== (pairs[index - 1]?.spoken ?? spoken) + 1).length
  await fc.assert(
    fc.asyncProperty(words(30), words(80), async (text, spoken) => {
      const pairs = await alignWords(text, spoken)
      expect(breaks(withFewerBreaks(pairs, text, spoken))).toBeLessThanOrEqual(breaks(pairs))
    }),
  )
})

it('compares 20,000 words with as many, and lets other work have its turns', bestOfThree, async () => {
  // Every word is one of two: the hardest case for methods whose time depends on the words.
  const spoken = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? 'so' : 'well'))
  const longest = await longestWork(async () => expect(await alignWords(spoken, spoken)).toHaveLength(20_000))
  expect(longest).toBeLessThan(tooLongMs)
})

it('takes the memory of the text however many of its words differ, and none for what nobody said', () => {
  const different = Int32Array.from({ length: 14_400 }, (_, index) => index)
  expect([...masksOf(different, new Set([7, 20_000])).keys()]).toEqual([7])
  const numbers = [...masksOf(different, new Set(different)).values()].flat()
  expect(numbers.length).toBeLessThanOrEqual(2 * different.length)
})
