import fc from 'fast-check'
import { expect, it } from 'vitest'
import { alignWords } from '../../../src/endpoints/timeline-suggest-ranges/align-words.ts'
import { withFewerBreaks } from '../../../src/endpoints/timeline-suggest-ranges/keep-text.ts'

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

it('pairs as many equal words as possible, in the order of both', () => {
  fc.assert(
    fc.property(words(80), words(80), (text, spoken) => {
      for (const pairs of [alignWords(text, spoken), withFewerBreaks(alignWords(text, spoken), text, spoken)]) {
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

it('moves words together, and never apart', () => {
  const breaks = (pairs: ReturnType<typeof alignWords>) =>
    pairs.filter(({ spoken }, index) => spoken !== (pairs[index - 1]?.spoken ?? spoken) + 1).length
  fc.assert(
    fc.property(words(30), words(80), (text, spoken) => {
      const pairs = alignWords(text, spoken)
      expect(breaks(withFewerBreaks(pairs, text, spoken))).toBeLessThanOrEqual(breaks(pairs))
    }),
  )
})

it('finds a text in two hours of speech within a second', () => {
  // Every word is one of two: the hardest case for methods whose time depends on the words.
  const spoken = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? 'so' : 'well'))
  const before = process.cpuUsage().user
  expect(alignWords(spoken.slice(0, 20_000), spoken)).toHaveLength(20_000)
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(1)
})
