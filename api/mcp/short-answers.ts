import { z } from 'zod'
import { type PageQuery, pagesOfResult, type ResultPage } from '../jobs/schema.ts'

/** About 1,500 tokens of a model: JSON with numbers and ids takes one for three bytes. */
const maxBytes = 4_400

/** The most entries of a list in an answer to a caller that gave no limit. */
const mostEntries = 100

/** The answer with the caller's limit for each list; without one, with as many entries as fit into a short answer. */
export function fitted<Answer>(limit: number | undefined, answerWith: (limit: number) => Answer): Answer {
  if (limit !== undefined) return answerWith(limit)
  const measured = (entries: number) => {
    const answer = answerWith(entries)
    return { answer, bytes: Buffer.byteLength(JSON.stringify(answer)) }
  }
  const least = measured(1)
  let entries = mostEntries
  for (let tries = 0; tries < maxTries && entries > 1; tries += 1) {
    const { answer, bytes } = measured(entries)
    if (bytes <= maxBytes) return answer
    // What surrounds the entries stays.
    const share = (maxBytes - least.bytes) / (bytes - least.bytes)
    entries = Math.min(entries - 1, 1 + Math.floor((entries - 1) * share))
  }
  return least.answer
}

/** Entries are about as long as each other. */
const maxTries = 6

/** A short answer links to at least this many files, because callers wait for them. */
const leastFiles = 10

export function firstFiles<File>(files: readonly File[], limit: number): readonly File[] {
  return files.slice(0, Math.max(limit, leastFiles))
}

type Result = Readonly<Record<string, unknown>>

/** Lists inside the parts of a result stay as long, because a page of few segments needs no less of them. */
const leastInParts = 3

/**
 * The pages of a result in which nothing is said twice. Lists inside its parts, such as the ranges of a receipt, are cut at the limit,
 * and `lists` counts them too.
 */
export function pagesForAgents(given: Result, { limit: asked, ...query }: PageQuery = {}) {
  const shown = (query.from_seconds ?? 0) > 0 ? withoutFiles(given) : withoutRepetition(given)
  const pages = pagesOfResult(asked === undefined ? withoutTranscript(shown) : shown, query)
  return (limit: number) => shortenParts(pages(limit), Math.max(limit, leastInParts))
}

function shortenParts({ result, page }: { result: Result; page: ResultPage }, limit: number) {
  const lists = { ...page.lists }
  const shorten = (part: unknown, place: string): unknown => {
    if (Array.isArray(part)) {
      const shown = Object.hasOwn(page.lists, place) ? part : part.slice(0, limit)
      if (shown.length < part.length) lists[place] = { total: part.length, shown: shown.length }
      return shown.map((each: unknown) => shorten(each, place))
    }
    return typeof part === 'object' && part !== null ? shortenEach(part, `${place}.`) : part
  }
  const shortenEach = (parts: object, before: string) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, shorten(part, `${before}${name}`)]))
  const shown: Result = shortenEach(result, '')
  return { result: shown, page: { ...page, lists } }
}

const file = z.looseObject({ receipt: z.unknown().optional(), download_url: z.string().optional() })
const filesOf = z.looseObject({
  output: file.optional(),
  output_url: z.string().optional(),
  outputs: z.array(file).optional(),
})

/** The first page has them. */
function withoutFiles({
  output: _,
  output_url: _url,
  outputs: _files,
  receipts: _receipts,
  ...result
}: Result): Result {
  return result
}

const found = z.looseObject({ matches: z.array(z.unknown()).min(1), transcript: z.unknown() })

/** What was sought has the words around it. The sentences before it would be pages without a match. */
function withoutTranscript(given: Result): Result {
  const { data } = found.safeParse(given)
  if (!data) return given
  const { transcript: _, ...result } = data
  return result
}

/** A result names its first file three times, and each receipt twice, for programs of different ages. */
function withoutRepetition(given: Result): Result {
  const { data } = filesOf.safeParse(given)
  if (!data?.output) return given
  const { output, outputs = [output], output_url: _, receipts: _receipts, ...result } = data
  if (outputs.length === 1) {
    const { receipt: _receipt, download_url: _url, ...only } = outputs[0] ?? output
    return { ...result, output: only }
  }
  const { receipt: _receipt, ...others } = result
  return { ...others, outputs: outputs.map(({ download_url: _url, ...each }) => each) }
}
