import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexedPassages, maxIndexedPassages, maxPassageLength } from '../../src/core/passages.ts'
import { isPostgresText } from '../../src/core/text.ts'

const passage = (text: string, start = 0, end = 10) => ({ text, start, end })

describe('the passages that are indexed', () => {
  it('are those of the result, on one line, without empty ones and what cannot be stored', async () => {
    expect(await indexedPassages([passage(' two\n words '), passage(' '), passage('a\u0000b\uE000c')])).toEqual([
      passage('two words'),
      passage('abc'),
    ])
  })

  it('divide long ones at spaces, with times by their share of the text', async () => {
    const text = 'word '.repeat(1_000).trim()
    const parts = await indexedPassages([passage(text, 100, 200)])
    expect(parts).toHaveLength(3)
    expect(parts.map((part) => part.text).join(' ')).toBe(text)
    expect([parts[0]?.start, parts.at(-1)?.end]).toEqual([100, 200])
    expect(parts[0]?.end).toBeCloseTo(140, 0)
  })

  it('join neighbours if there are too many, and lose none', async () => {
    const many = Array.from({ length: maxIndexedPassages * 2.5 }, (_, at) => passage(`word${at}`, at, at + 1))
    const joined = await indexedPassages(many)
    expect(joined.length).toBeLessThanOrEqual(maxIndexedPassages)
    expect(joined.map(({ text }) => text).join(' ')).toBe(many.map(({ text }) => text).join(' '))
    expect(joined[0]).toEqual({ text: 'word0 word1 word2', start: 0, end: 3 })
  })

  it('are bounded for any text, in order, and text that the database takes', async () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 40 })
      .chain((unit) => fc.nat(300).map((times) => unit.repeat(times)))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
        const parts = await indexedPassages(texts.map((each, at) => passage(each, at, at + 1)))
        for (const [index, part] of parts.entries()) {
          expect(part.text.length).toBeLessThanOrEqual(maxPassageLength)
          expect(part.text).not.toBe('')
          expect(part.end).toBeGreaterThanOrEqual(part.start)
          expect(part.start).toBeGreaterThanOrEqual(parts[index - 1]?.start ?? 0)
          expect(isPostgresText(JSON.stringify(part.text))).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })
})
