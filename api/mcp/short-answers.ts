import { z } from 'zod'
import { type PageQuery, pageOfResult, type ResultPage } from '../jobs/schema.ts'

/** About 1,500 tokens of a model: JSON with numbers and ids takes one for three bytes. */
const maxBytes = 4_400

/** The most entries of a list in an answer to a caller that gave no limit. */
const mostEntries = 100

/** The answer with the caller's limit for each list; without one, with as many entries as fit into a short answer. */
export function fitted<Answer>(limit: number | undefined, answerWith: (limit: number) => Answer): Answer {
  if (limit !== undefined) return answerWith(limit)
  let entries = mostEntries
  for (;;) {
    const answer = answerWith(entries)
    const bytes = Buffer.byteLength(JSON.stringify(answer))
    if (bytes <= maxBytes || entries === 1) return answer
    entries = Math.max(1, Math.min(entries - 1, Math.floor((entries * maxBytes) / bytes)))
  }
}

/** A short answer links to at least this many files, because callers wait for them. */
const leastFiles = 10

export function firstFiles<File>(files: readonly File[], limit: number): readonly File[] {
  return files.slice(0, Math.max(limit, leastFiles))
}

type Result = Readonly<Record<string, unknown>>
type AgentQuery = PageQuery & { readonly limit: number }

/** Lists inside the parts of a result stay as long, because a page of few segments needs no less of them. */
const leastInParts = 3

/**
 * A page of a result in which nothing is said twice. Lists inside its parts, such as the ranges of a receipt, are cut at the limit,
 * and `lists` counts them too.
 */
export function pageForAgents(given: Result, query: AgentQuery): { result: Result; page: ResultPage } {
  const { result, page } = pageOfResult(withoutRepetition(given), query)
  const lists = { ...page.lists }
  const limit = Math.max(query.limit, leastInParts)
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
  return { result: shortenEach(result, ''), page: { ...page, lists } }
}

const file = z.looseObject({ receipt: z.unknown().optional(), download_url: z.string().optional() })
const filesOf = z.looseObject({
  output: file.optional(),
  output_url: z.string().optional(),
  outputs: z.array(file).optional(),
})

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
