import { describe, expect, it } from 'vitest'
import { warnOfNoMatch } from '../../../src/endpoints/match-words.ts'

describe('the warning of a search', () => {
  it('names each query without a match, if others have one', () => {
    const matches = [{ query: 'budget' }, { query: 'budget' }]
    expect(warnOfNoMatch(['budget', 'the "tax"', 'refund'], matches)).toEqual([
      String.raw`Nothing that is said matches "the \"tax\"", "refund". Send other queries, or "match": "stem" or "fuzzy".`,
    ])
  })

  it('is left out if all were found, or nothing, which the result shows', () => {
    expect(warnOfNoMatch(['budget'], [{ query: 'budget' }])).toEqual([])
    expect(warnOfNoMatch(['budget'], [])).toEqual([])
    expect(warnOfNoMatch([], [])).toEqual([])
  })
})
