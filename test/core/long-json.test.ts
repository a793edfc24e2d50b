import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longJsonParts, parseLongJson } from '../../src/core/long-json.ts'
import { joinInTurns } from '../../src/core/turns.ts'
import { bestOfThree } from '../best-of-three.ts'
import { longestWork, tooLongMs } from '../longest-work.ts'

/** Nearly a day of words, as they are stored. */
const words = Array.from({ length: 200_000 }, (_, index) => ({
  text: `"word" ${index}\\`,
  start: index / 2,
  end: index / 2 + 0.3,
  quiet: null,
}))

const longJson = (value: unknown) => joinInTurns(longJsonParts(value))

describe('long JSON', () => {
  it('is what JSON.stringify writes and JSON.parse reads, in parts of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 5 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(2),
        async (json, length, indent) => {
          const value: unknown = JSON.parse(json)
          expect(await parseLongJson(JSON.stringify(value, null, indent), length)).toEqual(value)
          expect(await longJson(value)).toBe(JSON.stringify(value))
        },
      ),
      { numRuns: 1_000 },
    )
    const odd = { a: undefined, at: new Date(0), __proto__: null, list: [undefined, {}, []] }
    expect(await longJson(odd)).toBe(JSON.stringify(odd))
    expect(await longJson(words.slice(0, 1_200))).toBe(JSON.stringify(words.slice(0, 1_200)))
    const named = await parseLongJson('{"__proto__":[1,2,3],"a":1}', 2)
    expect(JSON.stringify(named)).toBe('{"__proto__":[1,2,3],"a":1}')
  })

  it.each(['[1,2', '{"a":[1,2,3', '["abcdefgh', '{"a" 1, "b": 2}', '[1 2 3 4 5]'])('is not %j', async (text) => {
    await expect(parseLongJson(text, 2)).rejects.toThrow(SyntaxError)
  })

  it('lets other work have its turns', bestOfThree, async () => {
    const longest = await longestWork(async () => {
      const read = await parseLongJson(await longJson({ words, decodeErrors: 0 }))
      expect(read).toMatchObject({ decodeErrors: 0, words: { length: words.length } })
    })
    expect(longest).toBeLessThan(tooLongMs)
  })
})
