import { z } from 'zod'
import { strictFields } from '../../core/input-problems.ts'
import { maxSeconds } from '../../core/time-code.ts'
import {
  defineTimelineEndpoint,
  earlierJobPlaceholder,
  jobIdSetting,
  labelledSegments,
  labelOfSegment,
  maxTimelineSegments,
  mediaLength,
  validateSegments,
} from '../define-timeline-endpoint.ts'
import { mediaSeconds, segment } from '../fields.ts'
import { recording } from '../timeline-sync/declaration.ts'

const maxTimelines = 20

const [offset, drift] = [z.number().min(-maxSeconds).max(maxSeconds), z.number().min(-1000).max(1000)]

export const mergeSettings = z
  .object({
    timelines: z
      .array(
        z.object({
          segments: labelledSegments,
          media_seconds: mediaLength.optional(),
          name: z.string().max(100).optional().describe('A name for the timeline in the result.'),
        }),
      )
      .min(1)
      .max(maxTimelines)
      .optional()
      .describe('Timelines of the same media. Results of other endpoints can be sent unchanged.'),
    job_ids: z
      .array(jobIdSetting)
      .min(1)
      .max(maxTimelines)
      .optional()
      .describe('Instead of timelines: completed jobs that found segments. An id that is sent twice counts once.'),
    recordings: z
      // Without a misspelt offset or drift, the timeline would be merged at another place.
      .array(strictFields({ ...recording.shape, offset_seconds: offset.optional(), drift_ppm: drift.optional() }))
      .min(1)
      .max(maxTimelines)
      .optional()
      .describe(
        'For timelines of several recordings of one event: the recordings of timeline/sync unchanged, one for each timeline or job, in their order. All times are then on the clock of the reference, and what is before its start is left out.',
      ),
    mode: z
      .enum(['union', 'intersection', 'subtract', 'interleave'])
      .default('union')
      .describe(
        'union: covered by any timeline. intersection: covered by all. subtract: covered by the first and by no other. interleave: lists every segment unchanged, with its label. For a job, its chunks or its lines of text.',
      ),
  })
  .meta({ oneOf: [{ required: ['timelines'] }, { required: ['job_ids'] }] })

export const mergeEndpoint = defineTimelineEndpoint({
  id: 'timeline/merge',
  title: 'Merge timelines',
  summary: 'Merge several timelines into one.',
  description:
    'Joins, intersects or subtracts the segments that several jobs found in the same media, or lists them in the order of time, at most 20,000 together. Every segment of the result lists the timelines that cover a part of it.',
  keywords: 'combine, intersect, overlap, union, subtract, segments or results of two jobs',
  goals: ['merge two timelines', 'intersect the segments of two jobs'],
  settings: mergeSettings,
  result: z.object({
    media_seconds: mediaSeconds.optional().describe('The longest media_seconds of the timelines.'),
    segments: z.array(
      segment.extend({
        label: labelOfSegment,
        sources: z.array(z.int()).describe('Positions in the list of sources.'),
      }),
    ),
    total_segment_seconds: z.number(),
    sources: z
      .array(z.object({ name: z.string().optional(), job_id: z.string().optional(), segments: z.int() }))
      .describe('The timelines in order, each with its number of segments.'),
  }),
  exportNouns: { segments: 'segment' },
  example: {
    settings: {
      timelines: [
        { name: 'loud', segments: [{ start: 3, end: 9 }] },
        { name: 'talk', segments: [{ start: 0, end: 4.5 }] },
      ],
      mode: 'intersection',
    },
  },
  open: {
    settings: { job_ids: ['<earlier_job_id>', '<another_job_id>'] },
    placeholders: { ...earlierJobPlaceholder, '<another_job_id>': 'the id of another such job on the same media' },
  },
  validate: ({ timelines, job_ids, recordings }) => {
    if (timelines && job_ids) return 'Send settings.timelines or settings.job_ids, not both.'
    if (!timelines && !job_ids) return 'Send settings.timelines or settings.job_ids.'
    const unplaced = recordings && refusalOf(recordings, timelines ?? job_ids ?? [])
    if (unplaced || !timelines) return unplaced
    const count = timelines.reduce((sum, { segments }) => sum + segments.length, 0)
    if (count > maxTimelineSegments) {
      return `settings.timelines have ${count} segments together, more than ${maxTimelineSegments}. Send fewer.`
    }
    const refusals = timelines.map(({ segments }, at) =>
      validateSegments(segments, `settings.timelines[${at}].segments`),
    )
    return refusals.find((refusal) => refusal !== undefined)
  },
  jobsToRead: ({ job_ids: jobIds = [], mode }) => {
    const anyOf = mode === 'interleave' ? ['segments', 'chunks', 'lines'] : ['segments']
    return jobIds.map((jobId, index) => ({ setting: `job_ids[${index}]`, jobId, anyOf }))
  },
  run: async () => (await import('./run.ts')).runMerge,
})

type Recordings = z.output<typeof mergeSettings>['recordings']

function refusalOf(recordings: NonNullable<Recordings>, timelines: readonly unknown[]): string | undefined {
  if (recordings.length !== new Set(timelines).size)
    return `settings.recordings has ${recordings.length} entries for ${timelines.length} timelines. Send one for each, and no job twice.`
  const moved = recordings.findIndex(
    ({ job_id: id }, at) => id !== undefined && timelines.includes(id) && timelines[at] !== id,
  )
  if (moved >= 0)
    return `settings.recordings[${moved}] is of another job than settings.job_ids[${moved}]. Send both in one order.`
  const at = recordings.findIndex(({ synced, offset_seconds: seconds }) => !synced || seconds === undefined)
  if (at < 0) return undefined
  return recordings[at]?.synced
    ? `settings.recordings[${at}] has no offset_seconds. Send the recordings of timeline/sync unchanged.`
    : `settings.recordings[${at}] was not synced. Leave its timeline out.`
}
