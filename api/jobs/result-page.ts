import { z } from 'zod'

/** The most findings of one list in a page. */
export const maxFindings = 1000
/** What an agent reads in one page: 100 segments are about 5 kB. */
export const defaultFindings = 100

/** The query of a page of a result. */
export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxFindings)
    .optional()
    .describe(
      'The most entries of each list of the result, such as segments. page.next_from_seconds continues. A transcript has the sentences of the page, with their text, and no words: words.json has them. Only the page from the start has the points of an envelope. All when left out.',
    ),
  from_seconds: z.coerce.number().min(0).optional().describe('Only entries that start at this second or later.'),
  min_score: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Only entries with this score or more. Those without a score stay.'),
})

export type PageQuery = z.output<typeof pageQuery>

export const resultPage = z
  .object({
    lists: z
      .record(z.string(), z.object({ total: z.int(), shown: z.int() }))
      .describe(
        'For each list of the result: the number of its entries that match min_score, and of those in this page.',
      ),
    next_from_seconds: z
      .number()
      .optional()
      .describe('Send it as from_seconds to get the next page. Missing on the last page.'),
  })
  .meta({ id: 'ResultPage' })

export type ResultPage = z.output<typeof resultPage>

type Result = Readonly<Record<string, unknown>>

interface Finding {
  readonly start: number
  readonly duration: number
  readonly score?: unknown
}

/**
 * A page of the lists of a result: the entries that start at `from_seconds` or later, up to the first for which its list has no room.
 * Pages follow each other without gaps or repetitions, because each is a window of time. Entries with the same start stay in
 * one page.
 */
export function pageOfResult(
  result: Result,
  { limit = Infinity, from_seconds: from = 0, min_score: minScore = 0 }: PageQuery,
) {
  const transcript = transcriptIn(result)
  const listed = { ...result, ...(transcript ? { [sentencesName]: transcript.sentences } : {}) }
  const lists = Object.entries(listed).flatMap(([name, value]) => {
    const matching = findingsIn(value)?.filter(({ score }) => typeof score !== 'number' || score >= minScore)
    return matching ? [{ name, matching: matching.toSorted((a, b) => a.start - b.start) }] : []
  })
  const ends = lists.flatMap(
    ({ matching }) =>
      endOfPage(
        matching.filter(({ start }) => start >= from),
        limit,
      ) ?? [],
  )
  const end = Math.min(...ends)
  const pages = lists.map(({ name, matching }) => {
    const shown = matching.filter(({ start }) => start >= from && start < end)
    return { name, shown, counts: { total: matching.length, shown: shown.length } }
  })
  const page: ResultPage = {
    lists: Object.fromEntries(pages.map(({ name, counts }) => [name, counts])),
    ...(end < Infinity ? { next_from_seconds: end } : {}),
  }
  const { [sentencesName]: sentences, ...shown } = Object.fromEntries(pages.map((each) => [each.name, each.shown]))
  const texts = transcript ? pageOfTranscript(transcript, sentences) : {}
  const points = from > 0 ? withoutPoints(result) : {}
  const resultOfPage: Record<string, unknown> = { ...result, ...shown, ...texts, ...points }
  return { result: resultOfPage, page }
}

const sentencesName = 'transcript.sentences'

const sentence = z.looseObject({ start: z.number(), duration: z.number(), text: z.string() })
const transcriptSchema = z.looseObject({ sentences: z.array(sentence), words: z.array(z.unknown()) })
type Transcript = z.output<typeof transcriptSchema>

function transcriptIn({ transcript }: Result): Transcript | undefined {
  return transcriptSchema.safeParse(transcript).data
}

const envelopeSchema = z.looseObject({ rms_db: z.array(z.number()) })

/** The envelope is of the whole window, and the same on every page. */
function withoutPoints({ envelope }: Result) {
  const { data } = envelopeSchema.safeParse(envelope)
  return data ? { envelope: { ...data, rms_db: [] } } : {}
}

/** Words would be ten times as many as the entries of the lists. */
function pageOfTranscript(transcript: Transcript, findings: readonly Finding[] = []) {
  const shown = new Set(findings)
  const sentences = transcript.sentences.filter((each) => shown.has(each))
  const text = sentences.map((each) => each.text).join(' ')
  return { transcript: { ...transcript, text, sentences, words: [] } }
}

/**
 * Where the page ends: at the start of the first entry without room. If all entries of the page begin together with it, at the
 * start of the first entry after them.
 */
function endOfPage(rest: readonly Finding[], limit: number): number | undefined {
  const [first, left] = [rest[0], rest[limit]]
  if (!first || !left) return undefined
  return left.start > first.start ? left.start : rest.find(({ start }) => start > first.start)?.start
}

function findingsIn(value: unknown): readonly Finding[] | undefined {
  return Array.isArray(value) && value.every(isFinding) ? value : undefined
}

function isFinding(value: unknown): value is Finding {
  return typeof value === 'object' && value !== null && hasNumber(value, 'start') && hasNumber(value, 'duration')
}

function hasNumber(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'number'
}
