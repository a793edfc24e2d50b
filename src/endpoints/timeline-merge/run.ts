import type { z } from 'zod'
import { lowerBound } from '../../core/many-numbers.ts'
import { complement, normalize, overlapsOf, type Segment } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { collectInTurns, mapInTurns, nextTurn, startTurns } from '../../core/turns.ts'
import type { LabelledSegment, TimelineContext } from '../define-timeline-endpoint.ts'
import { assertSegmentCount, presentSegment, totalSeconds } from '../format.ts'
import type { mergeSettings } from './declaration.ts'

type Settings = z.output<typeof mergeSettings>

type MergeContext = Pick<TimelineContext<Settings>, 'settings' | 'earlierTimelines'>

export async function runMerge(context: MergeContext) {
  const timelines = await timelinesFor(context)
  const { recordings } = context.settings
  const rounded: LabelledSegment[][] = []
  for (const [index, { segments }] of timelines.entries())
    rounded.push(await mapInTurns(await placed(segments, recordings?.[index]), presentLabelled))
  const segments = await mergeTimelines(rounded, context.settings.mode)
  assertSegmentCount(segments.length, 'Merge fewer timelines')
  const lengths = timelines.flatMap(({ mediaSeconds }, index) => {
    const recording = recordings?.[index]
    return mediaSeconds === undefined || !recording ? (mediaSeconds ?? []) : onReference(recording, mediaSeconds)
  })
  const result = {
    ...(lengths.length > 0 ? { media_seconds: roundToMillisecond(Math.max(...lengths)) } : {}),
    segments: await mapInTurns(segments, (segment) => ({ ...presentLabelled(segment), sources: [...segment.sources] })),
    total_segment_seconds: totalSeconds(normalize(segments)),
    sources: timelines.map(({ source, segments: found }) => ({ ...source, segments: found.length })),
  }
  return { result }
}

type Recording = NonNullable<Settings['recordings']>[number]

/** A time of a recording on the clock of the reference. */
const onReference = ({ offset_seconds: offset = 0, drift_ppm: drift = 0 }: Recording, seconds: number) =>
  offset + seconds * (1 + drift / 1e6)

/** The segments on the clock of the reference, without what is before its start. */
async function placed(segments: readonly LabelledSegment[], recording: Recording | undefined) {
  if (!recording) return segments
  const all = await mapInTurns(segments, ({ start, end, ...more }) => ({
    ...more,
    start: Math.max(0, onReference(recording, start)),
    end: onReference(recording, end),
  }))
  return all.filter(({ end }) => end >= 0)
}

/** A segment as in results, with its label if it has one. */
function presentLabelled({ label, ...segment }: LabelledSegment) {
  return { ...presentSegment(segment), ...(label === undefined ? {} : { label }) }
}

async function timelinesFor({ settings, earlierTimelines }: MergeContext) {
  const { timelines = [], job_ids: jobIds } = settings
  if (!jobIds) {
    return timelines.map(({ segments, media_seconds: mediaSeconds, name }) => ({
      source: name === undefined ? {} : { name },
      segments,
      mediaSeconds,
    }))
  }
  const found = await earlierTimelines([...new Set(jobIds)], { labelled: settings.mode === 'interleave' })
  return found.map(({ jobId, segments, mediaSeconds }) => ({ source: { job_id: jobId }, segments, mediaSeconds }))
}

export type MergeMode = 'union' | 'intersection' | 'subtract' | 'interleave'

export interface SourcedSegment extends LabelledSegment {
  /** Indexes of the timelines that cover a part of it. */
  readonly sources: readonly number[]
}

/**
 * Merges timelines into one. It is in order and without overlap, but for `interleave`, which keeps every segment as it is. `subtract`
 * removes all others from the first.
 */
export async function mergeTimelines(
  timelines: readonly (readonly LabelledSegment[])[],
  mode: MergeMode,
): Promise<SourcedSegment[]> {
  if (mode === 'interleave') return interleave(timelines)
  // Each timeline is sorted once, since there can be a long one and many short ones.
  const ordered = await mapInTurns(timelines, normalize)
  const merged = await combine(ordered, mode)
  const sources = await mapInTurns(merged, (): number[] => [])
  const turns = startTurns()
  for (const [index, timeline] of ordered.entries()) {
    for (const position of coveredBy(merged, timeline)) {
      sources[position]?.push(index)
      if (turns.isDue()) await turns.next()
    }
  }
  return mapInTurns(merged, ({ start, end }, position) => ({ start, end, sources: sources[position] ?? [] }))
}

/** Of timelines that are in order and without overlap. */
async function combine(
  [first = [], ...others]: readonly (readonly Segment[])[],
  mode: Exclude<MergeMode, 'interleave'>,
): Promise<readonly Segment[]> {
  if (mode === 'union') return normalize([first, ...others].flat())
  if (mode === 'subtract') {
    const within = { start: first.at(0)?.start ?? 0, end: first.at(-1)?.end ?? 0 }
    const left = complement(others.flat(), within)
    await nextTurn()
    return collectInTurns(overlapsOf(first, left))
  }
  let common = first
  for (const other of others) common = await collectInTurns(overlapsOf(common, other))
  return common
}

async function interleave(timelines: readonly (readonly LabelledSegment[])[]): Promise<SourcedSegment[]> {
  const sourced = timelines.flatMap((segments, index) => segments.map((segment) => ({ segment, sources: [index] })))
  await nextTurn()
  const ordered = sourced.sort((a, b) => a.segment.start - b.segment.start || a.segment.end - b.segment.end)
  await nextTurn()
  return mapInTurns(ordered, ({ segment, sources }) => ({ ...segment, sources }))
}

/** The indexes of the merged segments of which a timeline covers a part. Both are in order and without overlap. */
function* coveredBy(merged: readonly Segment[], timeline: readonly Segment[]): Generator<number> {
  let next = 0
  for (const { start, end } of timeline) {
    const first = lowerBound(merged, (segment) => segment.end <= start)
    for (let position = Math.max(first, next); (merged[position]?.start ?? end) < end; position++) {
      yield position
      next = position + 1
    }
  }
}
