import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readableSentencesOf, sentencesOf } from '../../src/core/sentences.ts'

/** Words of 0.3 s, with a pause of 0.2 s after each. */
const spoken = (text: string) =>
  text.split(' ').map((word, index) => ({ text: word, start: index / 2, end: index / 2 + 0.3, confidence: 1 }))
const textsOf = (text: string) => sentencesOf(spoken(text)).map((sentence) => sentence.text)

describe('sentences', () => {
  it.each([
    ['Dr. Smith met J. Doe. They left.', ['Dr. Smith met J. Doe.', 'They left.']],
    ['"Stop." She did (at last!) so.', ['"Stop."', 'She did (at last!)', 'so.']],
    ['It cost 3.5 million. Really?', ['It cost 3.5 million.', 'Really?']],
    ['At 5 p.m. we left', ['At 5 p.m. we left']],
  ])('of %j are %j', (text, sentences) => {
    expect(textsOf(text)).toEqual(sentences)
  })

  it('have every word once and in order, whatever is said', () => {
    const word = fc.stringMatching(/^[A-Za-z,.?!"]{1,12}$/)
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), (words) => {
        const said = words.map((text, index) => ({ text, start: index, end: index + 0.5, confidence: 1 }))
        for (const split of [sentencesOf, readableSentencesOf]) {
          const sentences = split(said)
          expect(sentences.map(({ text }) => text).join(' ')).toBe(words.join(' '))
          for (const [index, { start }] of sentences.entries())
            expect(start).toBeGreaterThanOrEqual(sentences[index - 1]?.end ?? 0)
        }
      }),
    )
  })

  it('that a model reads have 400 characters, even if nobody stops talking', () => {
    const sentences = readableSentencesOf(spoken('and then '.repeat(500).trim()))
    expect(sentences.length).toBeGreaterThan(10)
    for (const { text } of sentences) expect(text.length).toBeLessThanOrEqual(400)
  })
})
