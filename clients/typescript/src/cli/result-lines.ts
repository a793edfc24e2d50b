import { timeText } from './output.ts'

interface Moment {
  readonly start?: number
  readonly end?: number
  readonly time?: number
  readonly text?: string
  readonly title?: string
  readonly score?: number
}

export interface MadeFile {
  readonly name: string
  readonly url: string
  readonly download_url?: string
}

/** The parts of all results that a person reads first. */
export interface AnyResult {
  readonly output?: MadeFile
  readonly outputs?: readonly MadeFile[]
  readonly transcript?: { readonly sentences?: readonly Moment[]; readonly [list: string]: unknown }
  readonly [list: string]: unknown
}

/** What a search found. The files that it also made, such as subtitles, are saved by `--output`. */
const findings = ['matches', 'silences', 'laughs', 'chunks', 'lines'] as const
/** What a result says beside the files that were asked for. */
const others = ['ranges', 'frames', 'scores', 'segments'] as const

const isMoments = (value: unknown): value is Moment[] => Array.isArray(value) && value.length > 0

/** Whether a list of a result, or of its transcript, has entries. */
export function hasList(result: AnyResult, name: string): boolean {
  return isMoments(result[name] ?? result.transcript?.[name])
}

/** The files that a result made. */
export function filesOf({ outputs, output }: AnyResult): readonly MadeFile[] {
  return outputs ?? (output ? [output] : [])
}

interface Table {
  /** The names of the columns. */
  readonly header?: string
  readonly lines: readonly string[]
}

/** A line for each moment that was found: its start, its end, and what is known of it, with tabs between. Otherwise for each file, or what else there is. `isSearch`: it looked for given phrases. */
export function tableOf(result: AnyResult, isSearch = false): Table {
  const listed = (names: readonly string[]) => names.map((name) => result[name]).find(isMoments)
  // A transcript is what was sought if nothing else was: phrases that nobody said have no lines.
  const sought = listed(findings) ?? (isSearch ? [] : result.transcript?.sentences)
  const files = filesOf(result)
  if (!sought && files.length > 0) return { lines: files.map(({ url }) => url) }
  const found = sought ?? listed(others) ?? []
  const has = (name: keyof Moment) => found.some((moment) => moment[name] !== undefined)
  const known = (['text', 'title', 'score'] as const).find(has)
  const header = [...(has('end') ? ['start', 'end'] : ['time']), ...(known ? [known] : [])].join('\t')
  const lines = found.map(({ start, end, time, text, title, score }) =>
    [
      timeText(start ?? time ?? 0),
      end === undefined ? undefined : timeText(end),
      text ?? title ?? (score === undefined ? undefined : score.toFixed(2)),
    ]
      // One moment is one line, whatever was said.
      .flatMap((part) => (part === undefined ? [] : [part.replaceAll(/\s+/g, ' ')]))
      .join('\t'),
  )
  return { header, lines }
}
