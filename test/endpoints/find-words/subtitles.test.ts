import { describe, expect, it } from 'vitest'
import { subRip, webVtt } from '../../../src/core/captions.ts'
import { sentencesOf } from '../../../src/core/sentences.ts'

/** Words of 0.3 s, one each half second. */
function spoken(text: string) {
  return text.split(' ').map((word, index) => ({ text: word, start: index / 2, end: index / 2 + 0.3, confidence: 0.9 }))
}

describe('passages', () => {
  it('are sentences by punctuation, and by long pauses', () => {
    const [one, two] = [spoken('Stop here. And go on'), spoken('later')]
    const late = two.map((word) => ({ ...word, start: 10, end: 10.3 }))
    expect([...sentencesOf([...one, ...late])]).toEqual([
      { text: 'Stop here.', start: 0, end: 0.8 },
      { text: 'And go on', start: 1, end: 2.3 },
      { text: 'later', start: 10, end: 10.3 },
    ])
  })
})

describe('subtitle files', () => {
  const subtitles = [
    { text: 'A <b>bold</b> & long claim.', start: 0.05, end: 1.9996 },
    { text: 'Later.', start: 3_723.004, end: 3_724 },
  ]

  it('are WebVTT, with markup escaped', () => {
    expect([...webVtt(subtitles)].join('')).toBe(
      'WEBVTT\n\n00:00:00.050 --> 00:00:02.000\nA &lt;b&gt;bold&lt;/b&gt; &amp; long claim.\n\n01:02:03.004 --> 01:02:04.000\nLater.\n',
    )
    expect([...webVtt([])].join('')).toBe('WEBVTT\n')
  })

  it('are SubRip, without what looks like its tags', () => {
    expect([...subRip(subtitles)].join('')).toBe(
      '1\n00:00:00,050 --> 00:00:02,000\nA ‹b›bold‹/b› & long claim.\n\n2\n01:02:03,004 --> 01:02:04,000\nLater.\n\n',
    )
  })
})
