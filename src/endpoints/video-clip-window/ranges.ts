import { z } from 'zod'
import { invalidRequest } from '../../core/errors.ts'
import { wholeMilliseconds } from '../../core/money.ts'
import {
  complement,
  durationOf,
  hullOf,
  type JobWindow,
  normalize,
  type Segment,
  totalDuration,
} from '../../core/segments.ts'
import { time, timeForms } from '../fields.ts'
import { isTooShort, resolveWindow, secondsOf, shortestWindowSeconds, windowMilliseconds } from '../parse-settings.ts'

const maxRanges = 500
const maxFiles = 100

/** The maximum number of ranges of one job, by its setting `join`. */
export function maxRangesWith({ join }: { readonly join?: unknown }): number {
  return join === false ? maxFiles : maxRanges
}

/** Both times are required, so that a misspelt name does not select the rest of the media. */
const range = z.object(
  {
    start: requiredTime('send a time, or "" for the start of the media').describe(timeForms),
    end: requiredTime('send a time, or "" for the end of the media').describe('Blank: the end of the media.'),
  },
  'send an object such as { "start": 60, "end": "01:15" }',
)

function requiredTime(problem: string) {
  return z.union(time.options, { error: ({ input }) => (input === undefined ? problem : undefined) })
}

export const rangeSettings = {
  ranges: z
    .array(range)
    .min(1)
    .max(maxRanges)
    .optional()
    .describe('Several ranges instead of start and end. Segments from other endpoints can be sent unchanged.'),
  ranges_mode: z.enum(['keep', 'remove']).default('keep').describe('remove: the clip is the media without the ranges.'),
  join: z
    .boolean()
    .default(true)
    .describe(
      `true: one file, in the order of the source. false: one file for each range, in the order of the ranges, and at most ${maxFiles} of them.`,
    ),
}

type RangeSettings = z.output<z.ZodObject<typeof rangeSettings>>

const nothingToCut = 'Send start, end or settings.ranges. For the whole media, send "start": 0.'

/** Says what is missing or invalid, as far as the media is not needed to see it. Undefined if nothing is. */
export function validateRanges(window: JobWindow, settings: RangeSettings): string | undefined {
  const ranges = requestedRanges(settings)
  const hasWindow = window.startSeconds !== null || window.endSeconds !== null
  if (!ranges) return hasWindow ? undefined : nothingToCut
  if (hasWindow) return 'Send start and end, or settings.ranges, not both.'
  if (!settings.join && ranges.length > maxFiles) return `settings.ranges: at most ${maxFiles} with "join": false.`
  for (const [index, range] of ranges.entries()) {
    const problem = problemOf(range, ranges[index - 1], settings)
    if (problem) return `settings.ranges[${index}]${problem}`
  }
  return undefined
}

function problemOf(
  range: RequestedRange,
  before: RequestedRange | undefined,
  { ranges_mode: mode, join }: RangeSettings,
) {
  const length = (range.endSeconds ?? Number.POSITIVE_INFINITY) - range.startSeconds
  if (length <= 0) return ': start is at or after end.'
  if (mode === 'remove') return undefined
  if (isTooShort(length)) return ` is shorter than ${shortestWindowSeconds} s. Choose a longer one.`
  if (!join || range.startSeconds >= (before?.startSeconds ?? 0)) return undefined
  return ' starts before the range ahead of it, and a joined clip plays in the order of the source. Sort the ranges, or send "join": false for one file each.'
}

/** Warnings about the caller's ranges. */
export function warnOfRanges(settings: RangeSettings): string[] {
  const ranges = requestedRanges(settings) ?? []
  const overlap = ranges.some(({ startSeconds }, index) => {
    const before = ranges[index - 1]
    return before && startSeconds < (before.endSeconds ?? Number.POSITIVE_INFINITY)
  })
  const isJoined = settings.join && settings.ranges_mode === 'keep'
  return overlap && isJoined ? ['Overlapping settings.ranges were merged: the clip plays each moment once.'] : []
}

/** The segments of the media to cut; ascending and separate if they are joined. Throws `invalid_request` past its end. */
export function rangesToCut(window: JobWindow, settings: RangeSettings, mediaSeconds: number): Segment[] {
  const requested = requestedRanges(settings)
  if (!requested) return [resolveWindow(window, mediaSeconds)]
  if (settings.ranges_mode === 'keep') {
    const kept = requested.map((each, index) => resolveWindow(each, mediaSeconds, `settings.ranges[${index}].`))
    return settings.join ? normalize(kept) : kept
  }
  const removed = requested.map((each, index) => removedRange(each, mediaSeconds, index))
  const left = complement(removed, { start: 0, end: mediaSeconds }).filter((each) => !isTooShort(durationOf(each)))
  if (left.length === 0) throw invalidRequest('settings.ranges remove the whole media. Remove less.')
  if (!settings.join && left.length > maxFiles)
    throw invalidRequest(
      `Removing settings.ranges leaves ${left.length} parts, more than ${maxFiles} files. Leave join out.`,
    )
  return left
}

/** What a run reads of the media: in every mode, packets between the ranges of a joined clip too, and an exact one decodes their sound. */
export function rangesToRead(window: JobWindow, settings: RangeSettings, mediaSeconds: number): Segment[] {
  const ranges = rangesToCut(window, settings, mediaSeconds)
  return settings.join ? hullOf(ranges) : ranges
}

/** A shorter clip is made as quickly by one worker. */
const longClipSeconds = 120

/** Whether the ranges make one clip that is worth the work of several workers. */
export function isLongClip(ranges: readonly Segment[], { join }: RangeSettings): boolean {
  const seconds = totalDuration(ranges)
  return (join || ranges.length === 1) && seconds >= longClipSeconds
}

/** What the caller calls a stretch that `rangesToCut` gave: their ranges in it, or what they left between them. */
export function namesOfRange({ start, end }: Segment, settings: RangeSettings): string[] {
  const named = (name: string, from: number, to: number) => `${name} (${from.toFixed(3)} to ${to.toFixed(3)})`
  if (settings.ranges_mode === 'remove') return [named('What is left between settings.ranges', start, end)]
  return (requestedRanges(settings) ?? []).flatMap(({ startSeconds, endSeconds }, index) => {
    const to = endSeconds ?? end
    return startSeconds < end && to > start ? [named(`settings.ranges[${index}]`, startSeconds, to)] : []
  })
}

/** The maximum that can be billed; undefined while it depends on an unknown length. */
export function rangesMilliseconds(
  window: JobWindow,
  settings: RangeSettings,
  mediaSeconds?: number,
): number | undefined {
  const requested = requestedRanges(settings)
  if (!requested) return windowMilliseconds(window, mediaSeconds)
  if (mediaSeconds !== undefined) return totalMilliseconds(rangesToCut(window, settings, mediaSeconds))
  if (settings.ranges_mode === 'remove') return undefined
  const ends = requested.flatMap(({ startSeconds, endSeconds }) =>
    endSeconds === null ? [] : [{ start: startSeconds, end: endSeconds }],
  )
  if (ends.length < requested.length) return undefined
  return totalMilliseconds(settings.join ? normalize(ends) : ends)
}

interface RequestedRange {
  readonly startSeconds: number
  /** Null for the end of the media. */
  readonly endSeconds: number | null
}

function requestedRanges({ ranges }: RangeSettings): RequestedRange[] | undefined {
  return ranges?.map(({ start, end }, index) => ({
    startSeconds: secondsOf(start, `settings.ranges[${index}].start`) ?? 0,
    endSeconds: secondsOf(end, `settings.ranges[${index}].end`),
  }))
}

/** A range to remove, of any length. Throws `invalid_request` past the end of the media. */
function removedRange(requested: RequestedRange, mediaSeconds: number, index: number): Segment {
  const { startSeconds: start } = requested
  const end = requested.endSeconds ?? mediaSeconds
  const isShort = start < mediaSeconds && isTooShort(end - start)
  return isShort ? { start, end } : resolveWindow(requested, mediaSeconds, `settings.ranges[${index}].`)
}

function totalMilliseconds(ranges: readonly Segment[]): number {
  return ranges.reduce((total, range) => total + wholeMilliseconds(durationOf(range)), 0)
}
