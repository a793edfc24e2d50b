import { describe, expect, it } from 'vitest'
import { warnOfUncertainSpeech } from '../../../src/media/speech/transcribe-track.ts'

/** Words of half a second, one after another, from a time on. */
const said = (confidences: readonly number[], from = 0) =>
  confidences.map((confidence, index) => ({ start: from + index / 2, end: from + (index + 1) / 2, confidence }))
const repeated = (confidence: number, count: number) => Array.from({ length: count }, () => confidence)

describe('a warning of uncertain speech', () => {
  it('is given where most words are uncertain, and counts their seconds', () => {
    const half = said([...repeated(0.9, 40), ...repeated(0.4, 20)])
    expect(warnOfUncertainSpeech(half)).toEqual([expect.stringMatching(/^Most words in 10 s of speech are uncertain/)])
  })

  it.each([
    ['no words', []],
    ['certain words', repeated(0.9, 50)],
    ['a few uncertain words among certain ones', [...repeated(0.95, 15), ...repeated(0.1, 5)]],
    ['too few words to judge', repeated(0.2, 7)],
  ])('is not given for %s', (_what, confidences) => {
    expect(warnOfUncertainSpeech(said(confidences))).toEqual([])
  })
})
