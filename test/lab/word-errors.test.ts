import { describe, expect, it } from 'vitest'
import { comparedWords, wordErrors } from '../../lab/finders/words.ts'

describe('compared words', () => {
  it('have numbers written out, and neither case nor marks', () => {
    expect(comparedWords('Press 1, or 42: it’s OK.')).toEqual(['press', 'one', 'or', 'forty', 'two', 'its', 'okay'])
    expect(comparedWords('1200 e-mails')).toEqual(['one', 'thousand', 'two', 'hundred', 'e', 'mails'])
  })
})

describe('errors', () => {
  it.each([
    ['a b c', 'a b c', 0],
    ['a b c', 'a x c', 1],
    ['a b c', 'a c', 1],
    ['a b c', 'a b b c', 1],
    ['a b c', '', 3],
    ['', 'a', 1],
  ])('of "%s" heard as "%s" are %i', (truth, heard, errors) => {
    expect(wordErrors(comparedWords(truth), comparedWords(heard))).toBe(errors)
  })
})
