import { z } from 'zod'

export const spokenWord = z.object({
  /** As written, with punctuation and case. */
  text: z.string(),
  /** Seconds from the start of the samples. */
  start: z.number(),
  end: z.number(),
  /** How sure the model is of the word, 0 to 1. Invented words can have a high one. */
  confidence: z.number(),
})

/** What a model for `transcribe` returns: words in the order of time. */
export const spokenWords = z.array(spokenWord)

export type SpokenWord = z.output<typeof spokenWord>
