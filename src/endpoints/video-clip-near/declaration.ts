import { z } from 'zod'
import { microUsd, wholeMilliseconds } from '../../core/money.ts'
import { hullOf } from '../../core/segments.ts'
import { maxSeconds } from '../../core/time-code.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import {
  clipSettings,
  jobsOfCaptions,
  level,
  mediaSeconds,
  receipt,
  seconds,
  takesLongerThanSource,
} from '../fields.ts'
import { changeOfPicture, refuseClip } from '../refuse-clip.ts'
import { maxMoments, searchedWindows, snapReachSeconds } from './moments.ts'

const edge = z
  .object({
    asked: z.number().describe('The position that before_seconds or after_seconds give this edge.'),
    chosen: z.number(),
    reason: z
      .enum([
        'quiet',
        'between_words',
        'keyframe',
        'asked',
        'start_of_media',
        'end_of_media',
        'no_quiet_point',
        'no_keyframe',
      ])
      .describe('between_words: not quiet, but in a pause in speech.'),
  })
  .meta({ id: 'ClipEdge' })

const clip = z
  .object({
    moment: z.number(),
    start: z.number(),
    end: z.number(),
    start_edge: edge,
    end_edge: edge,
  })
  .meta({ id: 'ClipAroundMoment' })

export const clipNearSettings = z.object({
  before_seconds: seconds.max(3600).default(5),
  after_seconds: seconds.max(3600).default(5),
  moments: z
    .array(z.union([z.number().min(0).max(maxSeconds), z.string().min(1).max(32)]))
    .min(1)
    .max(maxMoments)
    .optional()
    .describe('Several moments instead of start: one clip each.'),
  join: z
    .boolean()
    .default(false)
    .describe(
      'Puts the clips of several moments into one file, in the order of time. A stretch that several clips share is in the file once.',
    ),
  snap: z
    .enum(['silence', 'keyframe', 'none'])
    .default('silence')
    .describe(
      `What each edge looks for, at most ${snapReachSeconds} seconds from its position. The maximum price counts these seconds; the final price is for the length of the clip.`,
    ),
  ...clipSettings,
  quiet_threshold: level.default(-35),
  min_segment_seconds: seconds.default(0.3).describe('Snapping never makes a clip shorter than this.'),
})

export const clipNearEndpoint = defineEndpoint({
  id: 'video/clip-near',
  title: 'Cut around a moment',
  summary: 'Cut a clip around a moment, with edges at quiet points and pauses, so that no word is cut.',
  description:
    'start is the moment. before_seconds and after_seconds give the position of each edge. From there the service searches outwards and inwards for a quiet point or a pause in speech. The result states the chosen point and the reason. Shape, size, captions and loudness are set as in video/clip-window.',
  keywords:
    'near, around, at, highlight, teaser, snippet, excerpt, short, either side, before and after, mid-sentence, without cutting words, stream',
  goals: [
    'cut a highlight at 3:20 without cutting words',
    'make a clip around 1:15',
    'clip the moment near 00:12:30',
    'a 30 second teaser',
    '15 seconds either side of 2:00',
    'cut highlights from my stream without cutting words',
  ],
  needs: {},
  settings: clipNearSettings,
  result: z.object({
    media_seconds: mediaSeconds,
    window: clip,
    windows: z.array(clip).describe('Of each moment.'),
    receipt,
    receipts: z.array(receipt).describe('Of each file.'),
  }),
  producesFiles: true,
  price: { unit: 'output_minute', rateMicroUsdPerMinute: microUsd(10_000) },
  example: { start: 30, settings: { before_seconds: 4, after_seconds: 6 } },
  validate: (window, settings) => {
    if (window.endSeconds !== null) return 'This endpoint does not use end. Use settings.after_seconds.'
    if (settings.moments && window.startSeconds !== null) return 'Send start or settings.moments, not both.'
    if (!settings.moments && window.startSeconds === null)
      return 'start is required: the moment, in seconds or HH:MM:SS. For several clips, send settings.moments instead.'
    if (settings.before_seconds + settings.after_seconds === 0)
      return 'before_seconds and after_seconds are both 0. Make one larger.'
    return refuseClip(settings)
  },
  requestRule: {
    oneOf: [{ required: ['start'] }, { required: ['settings'], properties: { settings: { required: ['moments'] } } }],
  },
  billableMilliseconds: (window, settings, length) => {
    const spans = searchedWindows(window, settings, length)
    return spans.reduce((sum, span) => sum + wholeMilliseconds(span.end - span.start), 0)
  },
  windowsToRead: (window, settings, length) => {
    const windows = searchedWindows(window, settings, length)
    // As of ranges, what lies between the parts of a joined clip is read too.
    return settings.join ? hullOf(windows) : windows
  },
  takesLonger: takesLongerThanSource,
  needsPictureFor: changeOfPicture,
  jobsToRead: jobsOfCaptions,
  brandToUse: ({ brand }) => brand,
  run: async () => (await import('./run.ts')).runClipNear,
})
