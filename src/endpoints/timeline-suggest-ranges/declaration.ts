import { z } from 'zod'
import { defineTimelineEndpoint } from '../define-timeline-endpoint.ts'
import { mediaSeconds, seconds, segment } from '../fields.ts'
import { foundSegments, jobId, mediaLength, validateSegments } from '../timeline.ts'

const padding = seconds.max(60)

export const suggestRangesSettings = z.object({
  segments: foundSegments.optional().describe('What sounds, as other endpoints find it. Needs media_seconds.'),
  media_seconds: mediaLength.optional().describe('Length of the media that the segments are of.'),
  job_id: jobId.optional().describe('In place of segments: a completed job that found some.'),
  keep: z.enum(['sound', 'silence']).default('sound'),
  padding_seconds: z
    .union([padding, z.object({ before: padding, after: padding })])
    .default(0.2)
    .describe('Grows every range on both sides, or by so much before and after it.'),
  merge_gap_seconds: seconds.default(0).describe('Ranges with a gap of at most this between them become one.'),
  min_cut_seconds: seconds.default(0.2).describe('What would be cut and is shorter than this is kept.'),
  min_segment_seconds: seconds.default(0.1).describe('Sounds shorter than this count as silence.'),
})

export const suggestRanges = defineTimelineEndpoint({
  id: 'timeline/suggest-ranges',
  summary: 'Turn found segments into ranges worth keeping.',
  description:
    'Short sounds are dropped, what is kept is padded and merged, and cuts that are too short are dropped, in this order: with the defaults a pause under 0.6 seconds is not cut, and gaps_kept counts such pauses. The ranges fit into settings.ranges of video/clip-window as they are. Where the job of job_id looked at a part of the media, the ranges lie in that part.',
  settings: suggestRangesSettings,
  result: z.object({
    media_seconds: mediaSeconds,
    ranges: z.array(segment).describe('To keep, in order and apart.'),
    kept_seconds: z.number(),
    saved_seconds: z.number().describe('What the ranges leave out of the media, or of the part that was looked at.'),
    gaps_kept: z
      .int()
      .describe(
        'Gaps of which nothing is cut, because padding, merge_gap_seconds or min_cut_seconds close them. Lower these to cut more.',
      ),
  }),
  example: {
    settings: {
      segments: [
        { start: 0.4, end: 12.1 },
        { start: 14.8, end: 31 },
      ],
      media_seconds: 40,
    },
  },
  validate: ({ segments, media_seconds, job_id }) => {
    if (segments && job_id) return 'Send either settings.segments or settings.job_id, not both.'
    if (!segments) return job_id ? undefined : 'Send settings.segments with settings.media_seconds, or settings.job_id.'
    if (media_seconds === undefined) return 'settings.media_seconds is required with settings.segments.'
    return validateSegments(segments, 'settings.segments')
  },
  run: () => import('./run.ts'),
})
