import { z } from 'zod'
import { counted, quotedList, shortened } from '../../src/core/text.ts'
import type { ResultPage } from '../jobs/result-page.ts'
import type { RunBody } from '../runs/schema.ts'

// A result for clients that show a model only texts.

type Result = Readonly<Record<string, unknown>>

/** The most entries of a list in the text; the structured content has the whole page. */
const listedEntries = 100
/** Of the words of a time. */
const listedCharacters = 60
/** Of a sentence. */
const sentenceCharacters = 200
/** Of a frame. */
const listedReasons = 3

export function describeResult(result: Result, page: ResultPage): string[] {
  const lists = Object.keys(page.lists).length > 0 ? [describeLists(result, page)] : []
  return [...describeClips(result), ...describeFrames(result), ...lists]
}

export function describeSaved({ cuts, seconds_in, seconds_out }: NonNullable<RunBody['saved']>): string {
  return `${counted(cuts, 'part')} cut out: ${seconds_in} seconds of media became ${seconds_out}.`
}

const texts = z.object({ query: z.string(), title: z.string(), text: z.string() }).partial()
const timed = z.array(texts.extend({ start: z.number(), end: z.number(), score: z.number().optional() }))
const spoken = z.object({ transcript: z.object({ sentences: timed }) })

function describeLists(result: Result, { lists, next_from_seconds: next }: ResultPage): string {
  const hasMatches = (lists['matches']?.shown ?? 0) > 0
  const lines = Object.entries(lists).map(([name, { total, shown }]) => {
    const { data: entries = [] } = timed.safeParse(result[name])
    const { data: said } = spoken.safeParse(result)
    const isTranscript = name === 'transcript.sentences'
    // Matches have the words around them.
    const found = isTranscript && !hasMatches ? (said?.transcript.sentences ?? []) : entries
    const times = found.slice(0, listedEntries).map((entry) => describeTime(entry, isTranscript))
    const unlisted =
      found.length > times.length ? `. structuredContent has all ${shown}, this text the first ${times.length}` : ''
    const listed = isTranscript ? `:\n${times.join('\n')}` : `: ${times.join(', ')}`
    return `${name}: ${shown} of ${total}${times.length > 0 ? `${unlisted}, in seconds${listed}` : ''}`
  })
  const more = next === undefined ? 'No page follows.' : `Next: the same call with from_seconds ${next}.`
  return [...lines, `${more} Use the times as start, end, moments or ranges of a clip.`].join('\n')
}

function describeTime({ start, end, score, query, title, text }: z.output<typeof timed>[number], isSentence: boolean) {
  const words = [query ?? title ?? text ?? []].flat()
  const named = quotedList(words, { maxListed: 1, maxLength: isSentence ? sentenceCharacters : listedCharacters })
  return `${start}–${end}${named === '' ? '' : ` ${named}`}${score === undefined ? '' : ` (${score})`}`
}

const ranked = z.object({
  frames: z.array(
    z.object({
      time: z.number().optional(),
      upload_id: z.string().optional(),
      score: z.number(),
      reasons: z.array(z.string()),
    }),
  ),
})

function describeFrames(result: Result): string[] {
  const { data } = ranked.safeParse(result)
  if (!data) return []
  const lines = data.frames.slice(0, listedEntries).map(({ time, upload_id: upload, score, reasons }, index) => {
    const shown = upload ?? `${time} s`
    return `${index + 1}. ${shown} (${score}): ${shortened(reasons.slice(0, listedReasons).join(', '), sentenceCharacters)}`
  })
  return [[`${counted(data.frames.length, 'frame')}, the best first:`, ...lines].join('\n')]
}

const span = z.object({ start: z.number(), end: z.number() })
const receiptOf = z.object({ presented: span, ranges: z.array(z.unknown()).optional() })
const file = z.object({ duration: z.number(), receipt: z.unknown().optional() })
const cut = z.object({
  receipt: z.unknown().optional(),
  output: file,
  outputs: z.array(file).optional(),
})

/** A line for each clip. */
function describeClips(result: Result): string[] {
  const { data } = cut.safeParse(result)
  const files = data?.outputs ?? (data ? [{ ...data.output, receipt: data.receipt }] : [])
  return files.flatMap(({ duration, receipt }, index) => {
    // Captions have none.
    const { data: made } = receiptOf.safeParse(receipt)
    if (!made) return []
    const { presented, ranges = [] } = made
    const source = `${presented.start}–${presented.end} of the media`
    const joined = ranges.length > 1 ? `${ranges.length} ranges of ` : ''
    return [`Clip ${index + 1}: ${duration} seconds, from ${joined}${source}.`]
  })
}
