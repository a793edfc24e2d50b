import { z } from 'zod'
import { parseItems, parseLongJson } from '../../core/long-json.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { mapInTurns } from '../../core/turns.ts'
import type { Hesitation } from '../../media/speech/hesitations.ts'
import type { HeardWord } from '../../media/speech/quiet-moments.ts'
import type { EarlierWords } from '../define-timeline-endpoint.ts'
import { mediaSeconds } from '../fields.ts'
import { toHundredths } from '../format.ts'

/** The file with every word of a transcript, however many there are, from which other jobs cut. */
export const wordsFileName = 'words.json'

const quietMoment = z.number().nullable().optional()

const wordOfFile = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number(),
  /** Where a cut before the word is quiet; null if nowhere. Left out if the transcript is of an earlier version. */
  quiet_before: quietMoment,
  quiet_after: quietMoment,
})

const hesitationOfFile = z.object({
  start: z.number(),
  end: z.number(),
  /** Both are null if it is doubtful. */
  quiet_before: z.number().nullable(),
  quiet_after: z.number().nullable(),
})

const wordsFile = z.object({
  media_seconds: mediaSeconds,
  words: z.unknown(),
  /** Left out if the transcript is of an earlier version. */
  hesitations: z.array(z.unknown()).default([]),
})

/** A word as in results. */
export function presentWord({ text, start, end, confidence }: HeardWord) {
  return { text, start: roundToMillisecond(start), end: roundToMillisecond(end), confidence: toHundredths(confidence) }
}

export interface ForWordsFile {
  readonly words: readonly HeardWord[]
  readonly hesitations: readonly Hesitation[] | undefined
  readonly mediaSeconds: number
}

/** The parts of the file. */
export function* wordsFileParts({ words, hesitations, mediaSeconds: seconds }: ForWordsFile): Generator<string> {
  yield `{"media_seconds":${roundToMillisecond(seconds)},"words":[`
  yield* listParts(words, toWordOfFile)
  yield ']'
  if (hesitations) {
    yield ',"hesitations":['
    yield* listParts(hesitations, toHesitationOfFile)
    yield ']'
  }
  yield '}'
}

function* listParts<Item>(items: readonly Item[], present: (item: Item) => unknown): Generator<string> {
  for (const [index, item] of items.entries()) yield `${index > 0 ? ',' : ''}${JSON.stringify(present(item))}`
}

function toWordOfFile({ quietBefore, quietAfter, ...word }: HeardWord): z.output<typeof wordOfFile> {
  return {
    ...presentWord({ ...word }),
    ...(quietBefore === undefined ? {} : { quiet_before: rounded(quietBefore) }),
    ...(quietAfter === undefined ? {} : { quiet_after: rounded(quietAfter) }),
  }
}

function toHesitationOfFile(found: Hesitation): z.output<typeof hesitationOfFile> {
  return {
    start: roundToMillisecond(found.start),
    end: roundToMillisecond(found.end),
    quiet_before: rounded(found.quietBefore),
    quiet_after: rounded(found.quietAfter),
  }
}

function rounded(moment: number | null): number | null {
  return moment === null ? null : roundToMillisecond(moment)
}

/** The words for an endpoint that reads no media. */
export async function readWordsFile(text: string): Promise<Omit<EarlierWords, 'window'>> {
  const file = wordsFile.parse(await parseLongJson(text))
  const words = await mapInTurns(await parseItems(wordOfFile, file.words), ({ confidence: _, ...word }) => {
    const { quiet_before: quietBefore, quiet_after: quietAfter, ...said } = word
    return { ...said, quietBefore, quietAfter }
  })
  const hesitations = await mapInTurns(
    await parseItems(hesitationOfFile, file.hesitations),
    ({ start, end, quiet_before: quietBefore, quiet_after: quietAfter }) => ({ start, end, quietBefore, quietAfter }),
  )
  return { mediaSeconds: file.media_seconds, words, hesitations }
}
