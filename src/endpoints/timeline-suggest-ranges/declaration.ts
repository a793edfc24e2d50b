import { z } from 'zod'
import { defineTimelineEndpoint } from '../define-timeline-endpoint.ts'
import { mediaSeconds, seconds, segment } from '../fields.ts'
import { foundSegments, jobIdSetting, mediaLength, validateSegments } from '../timeline.ts'

const padding = seconds.max(60)

export const suggestRangesSettings = z
  .object({
    segments: foundSegments
      .optional()
      .describe('The sounding segments, as other endpoints return them. Needs media_seconds.'),
    media_seconds: mediaLength.optional().describe('Length of the media that the segments belong to.'),
    job_id: jobIdSetting.optional().describe('Instead of segments: a completed job that found segments.'),
    keep: z.enum(['sound', 'silence']).default('sound'),
    padding_seconds: z
      .union([padding, z.object({ before: padding, after: padding })])
      .default(0.2)
      .describe('Extends every range on both sides, or by before and after separately.'),
    merge_gap_seconds: seconds.default(0).describe('Merges ranges whose gap is at most this long.'),
    min_cut_seconds: seconds.default(0.2).describe('Cuts shorter than this are not made.'),
    min_segment_seconds: seconds.default(0.1).describe('Sounding segments shorter than this count as silence.'),
  })
  .meta({
    oneOf: [{ required: ['segments', 'media_seconds'] }, { required: ['job_id'], not: { required: ['segments'] } }],
  })

export const suggestRangesEndpoint = defineTimelineEndpoint({
  id: 'timeline/suggest-ranges',
  summary: 'Turn segments into the ranges worth keeping.',
  description:
    'Drops short sounding segments, then pads and merges the rest, then drops cuts that are too short. With the defaults, a pause under 0.6 seconds is not cut, and gaps_kept counts such pauses. The ranges can be sent unchanged as settings.ranges of video/clip-window. If the job of job_id covered a part of the media, the ranges lie in that part.',
  goals: [
    [
      ['range', 'segment'],
      ['keep', 'worth', 'suggest', 'pad'],
    ],
    [['segment'], ['into range', 'to range']],
  ],
  settings: suggestRangesSettings,
  result: z.object({
    media_seconds: mediaSeconds,
    ranges: z.array(segment).describe('The ranges to keep, in order and without overlap.'),
    kept_seconds: z.number(),
    saved_seconds: z
      .number()
      .describe('The length that the ranges leave out of the media, or of the part that the job covered.'),
    gaps_kept: z
      .int()
      .describe(
        'Gaps that stay uncut because padding, merge_gap_seconds or min_cut_seconds close them. Lower these to cut more.',
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
    if (segments && job_id) return 'Send settings.segments or settings.job_id, not both.'
    if (!segments) return job_id ? undefined : 'Send settings.segments with settings.media_seconds, or settings.job_id.'
    if (media_seconds === undefined) return 'settings.media_seconds is required with settings.segments.'
    return validateSegments(segments, 'settings.segments')
  },
  run: async () => (await import('./run.ts')).runSuggestRanges,
})
