import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readableSentencesOf, sentencesOf, spokenCaptions, subtitlesOf } from '../../src/core/sentences.ts'
import { bestOfThree } from '../best-of-three.ts'
import { longestWork } from '../longest-work.ts'

/** Words of 0.3 s, with a pause of 0.2 s after each. */
const spoken = (text: string) =>
  text.split(' ').map((word, index) => ({ text: word, start: index / 2, end: index / 2 + 0.3, confidence: 1 }))
const textsOf = (text: string) => [...sentencesOf(spoken(text))].map((sentence) => sentence.text)

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
        for (const split of [sentencesOf, readableSentencesOf, subtitlesOf]) {
          const sentences = [...split(said)]
          expect(sentences.map(({ text }) => text).join(' ')).toBe(words.join(' '))
          for (const [index, { start }] of sentences.entries())
            expect(start).toBeGreaterThanOrEqual(sentences[index - 1]?.end ?? 0)
        }
      }),
    )
  })

  it(
    'have at most a thousand words, and each word is read once, even if nobody ends a sentence',
    bestOfThree,
    async () => {
      const words = spoken('and then '.repeat(42_000).trim())
      for (const split of [sentencesOf, subtitlesOf]) {
        const longest = await longestWork(() => {
          for (const { text } of split(words)) expect(text.split(' ').length).toBeLessThanOrEqual(1_000)
        })
        expect(longest).toBeLessThan(2_000)
      }
    },
  )

  it('that a model reads have 400 characters, even if nobody stops talking', () => {
    const sentences = [...readableSentencesOf(spoken('and then '.repeat(500).trim()))]
    expect(sentences.length).toBeGreaterThan(10)
    for (const { text } of sentences) expect(text.length).toBeLessThanOrEqual(400)
  })
})

describe('subtitles', () => {
  const linesOf = (text: string) => [...subtitlesOf(spoken(text))].map((line) => line.text)

  it('leave no word of a sentence alone in a line, and rather break after a comma', () => {
    const sentence = 'The whole thing, with everything that we had bought for it, was sold for six hundred.'
    expect(linesOf(sentence)).toEqual([
      'The whole thing, with everything that we',
      'had bought for it, was sold for six hundred.',
    ])
    expect(linesOf('Six hundred. The end.')).toEqual(['Six hundred.', 'The end.'])
    const withComma = 'When the long and dark winter was over at last, all of the guests came back to the house.'
    expect(linesOf(withComma)[0]).toBe('When the long and dark winter was over at last,')
  })

  it('fit two lines of 42 characters and seven seconds, even if nobody stops talking', () => {
    for (const line of subtitlesOf(spoken('and then '.repeat(5_000).trim()))) {
      expect(line.text.length).toBeLessThanOrEqual(84)
      expect(line.end - line.start).toBeLessThanOrEqual(7)
    }
  })
})

describe('captions that change with each word', () => {
  it('show every word once, at its time, among words that fit', () => {
    const word = fc.stringMatching(/^[A-Za-z,.?!]{1,9}$/)
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), fc.constantFrom(1, 24), (words, maxLength) => {
        const said = words.map((text, index) => ({ text, start: index, end: index + 0.5, confidence: 1 }))
        const cues = [...spokenCaptions(said, maxLength)]
        expect(cues.map(({ text, spoken = -1 }) => text.split(' ')[spoken])).toEqual(words)
        expect(cues.map(({ start }) => start)).toEqual(said.map(({ start }) => start))
        for (const [index, { text, end }] of cues.entries()) {
          expect(text.length <= maxLength || !text.includes(' ')).toBe(true)
          expect(end).toBeLessThanOrEqual(said[index + 1]?.start ?? Infinity)
          expect(end).toBeGreaterThanOrEqual(said[index]?.end ?? 0)
        }
      }),
    )
  })
})
