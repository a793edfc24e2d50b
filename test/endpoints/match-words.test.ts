import { describe, expect, it } from 'vitest'
import { matchWords } from '../../src/endpoints/match-words.ts'

/** Words of 0.3 s, one each half second. */
function spoken(text: string) {
  return text.split(' ').map((word, index) => ({ text: word, start: index / 2, end: index / 2 + 0.3, confidence: 0.9 }))
}

describe('matching', () => {
  const words = spoken("It's a well-known Café. Running late, we ran to the café; it was the cafe's best day.")
  const textsOf = (queries: string[], matching: 'exact' | 'stem' | 'fuzzy' = 'exact') =>
    matchWords(words, queries, matching).map(({ first, end }) =>
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
  ] as const)('%j by %s finds %j', (queries, matching, found) => {
    expect(textsOf([...queries], matching)).toEqual(found)
  })

  it('does not overlap with itself, and is as sure as its least certain word', () => {
    const echo = spoken('no no no no').map((word, index) => ({ ...word, confidence: 0.5 + index / 10 }))
    expect(matchWords(echo, ['no no'], 'exact')).toEqual([
      { query: 'no no', first: 0, end: 2, confidence: 0.5 },
      { query: 'no no', first: 2, end: 4, confidence: 0.7 },
    ])
  })
})
