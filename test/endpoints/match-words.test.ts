import { describe, expect, it } from 'vitest'
import { createMatcher, wordsOf } from '../../src/endpoints/match-words.ts'
import { bestOfThree } from '../best-of-three.ts'
import { longestWork, tooLongMs } from '../longest-work.ts'

/** Words of 0.3 s, one each half second. */
function spoken(text: string) {
  return text.split(' ').map((word, index) => ({ text: word, start: index / 2, end: index / 2 + 0.3, confidence: 0.9 }))
}

describe('matching', () => {
  const words = spoken("It's a well-known Café. Running late, we ran to the café; it was the cafe's best day.")
  const textsOf = async (queries: string[], matching: 'exact' | 'stem' | 'fuzzy' = 'exact') =>
    (await createMatcher(queries, matching)(words)).map(({ first, end }) =>
      words
        .slice(first, end)
        .map(({ text }) => text)
        .join(' '),
    )

  it.each([
    [['café'], 'exact', ['Café.', 'café;']],
    [['CAFE'], 'exact', ['Café.', 'café;']],
    [["it's a"], 'exact', ["It's a"]],
    [['known cafe'], 'exact', ['well-known Café.']],
    [['run'], 'exact', []],
    [['run'], 'stem', ['Running']],
    [['runing'], 'fuzzy', ['Running']],
    [['to the'], 'fuzzy', ['to the']],
    [['a b'], 'fuzzy', []],
    [['?!'], 'exact', []],
    [['best day', "it's"], 'exact', ["It's", 'best day.']],
  ] as const)('%j by %s finds %j', async (queries, matching, found) => {
    expect(await textsOf([...queries], matching)).toEqual(found)
  })

  it('does not overlap with itself, and is as sure as its least certain word', async () => {
    const echo = spoken('no no no no').map((word, index) => ({ ...word, confidence: 0.5 + index / 10 }))
    expect(await createMatcher(['no no'], 'exact')(echo)).toEqual([
      { query: 'no no', first: 0, end: 2, confidence: 0.5 },
      { query: 'no no', first: 2, end: 4, confidence: 0.7 },
    ])
  })

  it('compares the first ten marks of a letter, and the first hundred letters of a word', async () => {
    const marks = '\u0301\u0316'
    expect(wordsOf(`cafe${marks.repeat(50_000)} ${'\uFF76\u0301\uFF9E'.repeat(40_000)}`)[0]).toBe('cafe')
    const long = 'ab'.repeat(5_000)
    expect(await textsOf([long.slice(0, 120)], 'fuzzy')).toEqual([])
    expect(wordsOf(long)).toEqual([long.slice(0, 100)])
  })

  it('keeps what is one letter several times, but for mm, apart: AA is not AAA', () => {
    expect(wordsOf('AAA AA a Mmmm aaah')).toEqual(['aaa', 'aa', 'a', 'mm', 'aah'])
  })

  it('compares what is drawn out as two letters, but not numerals', () => {
    expect(wordsOf('Mmmmm, sooo HMMM uhhh World War III 1000')).toEqual([
      'mm',
      'soo',
      'hmm',
      'uhh',
      'world',
      'war',
      'iii',
      '1000',
    ])
  })

  it('finds one more than a result can have, if every query matches every word', async () => {
    const queries = Array.from({ length: 100 }, (_, index) => `the${'!'.repeat(index)}`)
    const said = Array.from({ length: 50_000 }, () => ({ text: 'the', confidence: 1 }))
    expect((await createMatcher(queries, 'exact')(said)).length).toBeLessThanOrEqual(20_100)
  })

  it('lets other work have its turns', bestOfThree, async () => {
    const words = Array.from({ length: 10_000 }, (_, index) => ({
      text: `word${index.toString(36)}ing`,
      confidence: 1,
    }))
    const queries = Array.from({ length: 100 }, (_, index) => `word${(index * 7_919).toString(36)}ings and more`)
    expect(await longestWork(() => createMatcher(queries, 'fuzzy')(words))).toBeLessThan(tooLongMs)
  })
})
