import { describe, expect, it } from 'vitest'
import { transcriptKind } from '../../../src/media/speech/track-analysis-kinds.ts'

const word = (start: number) => ({ text: 'so', start, end: start + 0.5, confidence: 0.9 })
const hesitation = (start: number) => ({ start, end: start + 0.3, quietBefore: null, quietAfter: null })
const stored = { words: [word(1), word(4)], hesitations: [hesitation(2), hesitation(5)] }
const rest = { hasOpposedChannels: false, decodeErrors: 0 }

describe('a kept transcript', () => {
  it('serves windows with the words and hesitations in them', async () => {
    const transcript = await transcriptKind.parse({ ...stored, ...rest })
    const within = transcriptKind.within(transcript, { start: 0, end: 3 })
    expect(within).toEqual({ words: [word(1)], hesitations: [hesitation(2)], ...rest })
  })

  it('of an earlier version has no hesitations', async () => {
    const transcript = await transcriptKind.parse({ words: stored.words, ...rest })
    expect(transcript).toEqual({ words: stored.words, ...rest })
    expect(transcriptKind.within(transcript, { start: 0, end: 3 })).toEqual({ words: [word(1)], ...rest })
  })
})
