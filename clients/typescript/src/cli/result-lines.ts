import { timeText } from './output.ts'

interface Moment {
  readonly start?: number
  readonly end?: number
  readonly time?: number
  readonly text?: string
  readonly title?: string
  readonly score?: number
}

interface File {
  readonly name: string
  readonly url: string
  readonly download_url?: string
}

/** The parts of all results that a person reads first. */
export interface AnyResult {
  readonly output?: File
  readonly outputs?: readonly File[]
  readonly transcript?: { readonly sentences?: readonly Moment[] }
  readonly [list: string]: unknown
}

/** The list that answers what was asked, where a result has several. */
const lists = ['matches', 'silences', 'laughs', 'chunks', 'lines', 'ranges', 'frames', 'scores', 'segments'] as const

const isMoments = (value: unknown): value is Moment[] => Array.isArray(value) && value.length > 0

/** The files that a result made. */
export function filesOf({ outputs, output }: AnyResult): readonly File[] {
  return outputs ?? (output ? [output] : [])
}

/** A line for each file, or else for each moment: its start, its end, and what is known of it, with tabs between. */
export function linesOf(result: AnyResult): readonly string[] {
  const files = filesOf(result)
  if (files.length > 0) return files.map(({ url }) => url)
  const found = lists.map((name) => result[name]).find(isMoments) ?? result.transcript?.sentences ?? []
  return found.map(({ start, end, time, text, title, score }) =>
    [
      timeText(start ?? time ?? 0),
      end === undefined ? undefined : timeText(end),
      text ?? title ?? (score === undefined ? undefined : score.toFixed(2)),
    ]
      // One moment is one line, whatever was said.
      .flatMap((part) => (part === undefined ? [] : [part.replaceAll(/\s+/g, ' ')]))
      .join('\t'),
  )
}
