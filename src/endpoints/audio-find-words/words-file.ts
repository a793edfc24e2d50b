import { z } from 'zod'
import { roundToMillisecond } from '../../core/time-code.ts'
import type { HeardWord } from '../../media/speech/quiet-moments.ts'
import type { EarlierWord } from '../define-timeline-endpoint.ts'
import { mediaSeconds } from '../fields.ts'
import { toHundredths } from '../format.ts'

export const wordsFileName = 'words.json'

const quietMoment = z.number().nullable().optional()

/** The file with every word of a transcript, however many there are, from which other jobs cut. */
export const wordsFile = z.object({
  media_seconds: mediaSeconds,
  words: z.array(
    z.object({
      text: z.string(),
      start: z.number(),
      end: z.number(),
      confidence: z.number(),
      /** Where a cut before the word is quiet; null if nowhere. Left out if the transcript is of an earlier version. */
      quiet_before: quietMoment,
      quiet_after: quietMoment,
    }),
  ),
})

export type WordsFile = z.output<typeof wordsFile>

/** A word as in results. */
export function presentWord({ text, start, end, confidence }: HeardWord) {
  return { text, start: roundToMillisecond(start), end: roundToMillisecond(end), confidence: toHundredths(confidence) }
}

export function toWordsFile(words: readonly HeardWord[], seconds: number): WordsFile {
  return {
    media_seconds: roundToMillisecond(seconds),
    words: words.map(({ quietBefore, quietAfter, ...word }) => ({
      ...presentWord({ ...word }),
      ...(quietBefore === undefined ? {} : { quiet_before: rounded(quietBefore) }),
      ...(quietAfter === undefined ? {} : { quiet_after: rounded(quietAfter) }),
    })),
  }
}

/** A word of the file, for an endpoint that reads no media. */
export function toEarlierWord({ text, start, end, ...word }: WordsFile['words'][number]): EarlierWord {
  return { text, start, end, quietBefore: word.quiet_before, quietAfter: word.quiet_after }
}

function rounded(moment: number | null): number | null {
  return moment === null ? null : roundToMillisecond(moment)
}
