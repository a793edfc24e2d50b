import { z } from 'zod'
import { fillers } from '../../core/fillers.ts'
import { queries } from '../fields.ts'
import { wordsOf } from '../match-words.ts'

/** A script of two hours. */
const maxTextLength = 100_000

/** The settings that cut by what was said. */
export const textSettings = {
  remove_words: queries.describe(
    'Cuts these words and phrases wherever they are said, such as "um" or "you know". Case, accents and punctuation do not count. With a filler such as "um", also cuts what sounds like one and was not transcribed. Needs the job_id of audio/find-words, as do remove_repeats and keep_text.',
  ),
  remove_repeats: z
    .boolean()
    .default(false)
    .describe(
      'Cuts stutters and false starts: of words that are said twice in a row, up to eight, the earlier ones. Numbers and what people double on purpose, such as "very very", stay.',
    ),
  keep_text: z
    .string()
    .trim()
    .min(1)
    .max(maxTextLength)
    .optional()
    .describe(
      'A script: words that are not in it are cut, and of several takes the last one stays. Where other words are heard in place of some of it, they stay.',
    ),
}

type TextSettings = z.output<z.ZodObject<typeof textSettings>>

/** Whether the settings cut by what was said. */
export function cutsByText({ remove_words: words, remove_repeats: repeats, keep_text: text }: TextSettings): boolean {
  return words.length > 0 || repeats || text !== undefined
}

/** Whether fillers are to be cut, so that those count that only their sound shows. */
export function cutsFillers({ remove_words: words }: Pick<TextSettings, 'remove_words'>): boolean {
  return words.some((word) => fillers.includes(wordsOf(word).join(' ')))
}
