import { z } from 'zod'
import { parseItems } from '../../src/core/long-json.ts'
import { placeWords, type ShownRange } from '../../src/core/place-cues.ts'
import { subtitlesOf } from '../../src/core/sentences.ts'
import { collectInTurns } from '../../src/core/turns.ts'
import type { ExportEntry } from '../../src/exports/export-document.ts'
import { spokenWord } from '../../src/models/transcribe/spoken-words.ts'

const spoken = z.object({ transcript: z.object({ words: z.array(z.unknown()).min(1) }) })

/**
 * What is said, in lines that can be read, as the captions of clips are. With `ranges`, where a file shows them. Undefined if the
 * result does not list its words.
 */
export async function captionEntries(
  result: unknown,
  ranges: readonly ShownRange[] | undefined,
): Promise<ExportEntry[] | undefined> {
  const { data } = spoken.safeParse(result)
  if (!data) return undefined
  const words = await parseItems(spokenWord, data.transcript.words)
  const lines = await collectInTurns(subtitlesOf(ranges ? placeWords(words, ranges) : words))
  return lines.map(({ text, ...span }) => ({ ...span, label: text }))
}
