import { describe, expect, it } from 'vitest'
import { listedCuts } from '../../../web/src/studio/listed-cuts.ts'
import { lengthToSecond, syncInWords } from '../../../web/src/studio/receipt-words.ts'

describe('the words of the studio', () => {
  it.each([
    [5.04, '5.0 s'],
    [20, '20 s'],
    [431.2, '7 min 11 s'],
    [3168.9, '52 min 48 s'],
    [3600, '1 h'],
    [3663, '1 h 1 min 3 s'],
  ])('say %d seconds as %s', (seconds, words) => expect(lengthToSecond(seconds)).toBe(words))

  it('say how exact a file is to people who see no timeline', () => {
    expect(syncInWords({ drift_ms: 0.4, audio_video_offset_ms: null })).toBe(
      'Its length is that of the parts that were kept.',
    )
    expect(syncInWords({ drift_ms: -12, audio_video_offset_ms: 3.4 })).toBe(
      'It is 12 ms shorter than the parts that were kept, and sound and picture end 3 ms apart.',
    )
  })

  it('say which cuts are listed', () => {
    const cuts = Array.from({ length: 120 }, (_, index) => ({ start: index * 10 + 5, end: index * 10 + 6 }))
    const headingOf = (end: number, count = 120) => listedCuts(cuts.slice(0, count), { start: 0, end }).heading
    expect(headingOf(1200)).toBe('The first 60 of 120 cuts. Zoom in for the others.')
    expect(headingOf(800)).toBe('The first 60 of 80 cuts in view. Zoom in for the others.')
    expect(headingOf(40)).toBe('4 of 120 cuts, those in view')
    expect(headingOf(1200, 60)).toBe('60 cuts')
    expect(listedCuts(cuts, { start: 0, end: 1200 }).listed).toHaveLength(60)
  })
})
