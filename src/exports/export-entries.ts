import { z } from 'zod'
import { type EditRate, editFrameAt, editRates, frameOfTimecode } from '../core/edit-rate.ts'
import { invalidRequest } from '../core/errors.ts'
import { parseItems } from '../core/long-json.ts'
import type { RecordedStart } from '../core/media.ts'
import type { ExportEntry } from './export-document.ts'

/** A result, and what an entry of each of its lists with times is called. The lists that people cut by come first. */
export interface ExportableResult {
  readonly result: Readonly<Record<string, unknown>>
  readonly nouns: Readonly<Record<string, string>>
}

/** A segment, or the one time of a frame. */
const times = z.union([
  z.object({ start: z.number(), end: z.number() }),
  z.object({ time: z.number() }).transform(({ time }) => ({ start: time, end: time })),
])

const names = z.object({
  label: z.string().optional(),
  title: z.string().optional(),
  text: z.string().optional(),
  kind: z.string().optional(),
})

const entry = times.and(names)

/**
 * The entries of the list that was asked for; otherwise of the preferred list, or of the first that has any. Throws
 * `invalid_request` if the result has no such list, or an empty one.
 */
export async function exportEntries(
  exported: ExportableResult,
  asked?: string,
  preferred?: string,
): Promise<ExportEntry[]> {
  const lists = listsIn(exported)
  const withEntries = lists.filter(({ list }) => list.length > 0)
  const first = withEntries.find(({ name }) => name === preferred) ?? withEntries[0] ?? lists[0]
  const chosen = asked === undefined ? first : lists.find(({ name }) => name === asked)
  if (!chosen) {
    const has = lists.map(({ name }) => name).join(', ')
    throw invalidRequest(has ? `list: this result has no ${asked}. It has ${has}.` : noTimes)
  }
  if (chosen.list.length === 0)
    throw invalidRequest(`This result has no entry in ${chosen.name}, so there is nothing to export.`)
  const entries = await parseItems(entry, chosen.list)
  return entries.map(({ start, end, label, title, text, kind = chosen.noun }, index) => {
    const said = label ?? title ?? text
    const placed = { start, end, kind: chosen.noun }
    if (said) return { ...placed, label: said }
    return { ...placed, label: `${kind} ${index + 1}`, isUnnamed: true }
  })
}

/** Whether the result has the list with entries; without a name, whether it has any. */
export function hasEntries(exported: ExportableResult, asked?: string): boolean {
  return listsWithEntries(exported).some((name) => asked === undefined || name === asked)
}

/** The lists of a result that have something to export. The first is exported if none is asked for. */
export function listsWithEntries(exported: ExportableResult): string[] {
  return listsIn(exported).flatMap(({ name, list }) => (list.length > 0 ? [name] : []))
}

function listsIn({ result, nouns }: ExportableResult) {
  const transcript = z.looseObject({}).safeParse(result['transcript']).data
  return Object.entries(nouns).flatMap(([name, noun]) => {
    const list = result[name] ?? transcript?.[name]
    return Array.isArray(list) && list.every(hasTimes) ? [{ name, noun, list }] : []
  })
}

function hasTimes(each: unknown): boolean {
  return typeof each === 'object' && each !== null && (('start' in each && 'end' in each) || 'time' in each)
}

const noTimes =
  'This result has no times to export. Export a job that finds moments or suggests ranges, or the run that it is a step of.'

/** The frame of the clock of its recording on which media begins, and how that clock counts. Undefined if it states none that can be read. */
export function firstFrameOf(
  { timecode, timecodeBase, secondsSinceMidnight }: RecordedStart,
  rate: EditRate,
): { readonly frame: number; readonly isDropFrame: boolean } | undefined {
  if (timecode !== undefined) return frameOfTimecode(timecode, rate, timecodeBase)
  return secondsSinceMidnight === undefined
    ? undefined
    : { frame: editFrameAt(secondsSinceMidnight, rate), isDropFrame: false }
}

export function hasReadableStart(start: RecordedStart): boolean {
  return firstFrameOf(start, editRates['60']) !== undefined
}
