import { z } from 'zod'
import { placeWords, type ShownRange } from '../../src/core/place-cues.ts'
import { subtitlesOf } from '../../src/core/sentences.ts'
import type { ExportEntry } from '../../src/exports/export-document.ts'
import { spokenWords } from '../../src/models/transcribe/spoken-words.ts'

const spoken = z.looseObject({ transcript: z.looseObject({ words: spokenWords.min(1) }) })

/**
 * What is said, in lines that can be read, as the captions of clips are. With `ranges`, where a file shows them. Undefined if the
 * result does not list its words.
 */
export function captionEntries(result: unknown, ranges: readonly ShownRange[] | undefined): ExportEntry[] | undefined {
  const { data } = spoken.safeParse(result)
  if (!data) return undefined
  const { words } = data.transcript
  const lines = subtitlesOf(ranges ? placeWords(words, ranges) : words)
  return lines.map(({ text, ...span }) => ({ ...span, label: text }))
}
