import { durationOf, type Segment } from '../../core/segments.ts'

interface HeardWord extends Segment {
  readonly confidence: number
}

/** Words that are judged together: about eight seconds of speech. */
const blockWords = 20
/** A block of fewer words is too short to judge. */
const minWords = 8
/**
 * Measured on blocks of telephone announcements: 0.78 to 0.95 in English, and mostly 0.24 to 0.56 in French, Italian and Spanish,
 * from which the model makes English sentences.
 */
const minMeanConfidence = 0.65

/** Seconds of speech in blocks of mostly uncertain words: in another language, or hard to hear. */
function uncertainSeconds(words: readonly HeardWord[]): number {
  let seconds = 0
  for (let first = 0; first < words.length; first += blockWords) {
    const block = words.slice(first, first + blockWords)
    const mean = block.reduce((sum, { confidence }) => sum + confidence, 0) / block.length
    const [start, end] = [block[0]?.start ?? 0, block.at(-1)?.end ?? 0]
    if (block.length >= minWords && mean < minMeanConfidence) seconds += durationOf({ start, end })
  }
  return seconds
}

/** For the callers of endpoints that transcribe. */
export function warnOfUncertainSpeech(words: readonly HeardWord[]): string[] {
  const seconds = Math.round(uncertainSeconds(words))
  return seconds === 0
    ? []
    : [
        `Most words in ${seconds} s of speech are uncertain, and may not have been said: the speech is not English, which alone is transcribed, or it is hard to hear.`,
      ]
}
