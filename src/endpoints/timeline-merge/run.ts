import type { z } from 'zod'
import { normalize } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { mapInTurns } from '../../core/turns.ts'
import type { LabelledSegment, TimelineContext } from '../define-timeline-endpoint.ts'
import { assertSegmentCount, presentSegment, totalSeconds } from '../format.ts'
import type { mergeSettings } from './declaration.ts'
import { mergeTimelines } from './merge-timelines.ts'

type Settings = z.output<typeof mergeSettings>

export async function runMerge(context: TimelineContext<Settings>) {
  const timelines = await timelinesFor(context)
  const rounded: LabelledSegment[][] = []
  for (const { segments } of timelines) rounded.push(await mapInTurns(segments, presentLabelled))
  const segments = await mergeTimelines(rounded, context.settings.mode)
  assertSegmentCount(segments.length, 'Merge fewer timelines')
  const lengths = timelines.flatMap(({ mediaSeconds }) => mediaSeconds ?? [])
  const result = {
    ...(lengths.length > 0 ? { media_seconds: roundToMillisecond(Math.max(...lengths)) } : {}),
    segments: await mapInTurns(segments, (segment) => ({ ...presentLabelled(segment), sources: [...segment.sources] })),
    total_segment_seconds: totalSeconds(normalize(segments)),
    sources: timelines.map(({ source, segments: found }) => ({ ...source, segments: found.length })),
  }
  return { result }
}

/** A segment as in results, with its label if it has one. */
function presentLabelled({ label, ...segment }: LabelledSegment) {
  return { ...presentSegment(segment), ...(label === undefined ? {} : { label }) }
}

async function timelinesFor({ settings, earlierTimelines }: TimelineContext<Settings>) {
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
