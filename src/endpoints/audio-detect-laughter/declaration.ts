import { z } from 'zod'
import { microUsd } from '../../core/money.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { analysis, mediaSeconds, oneAudioTrack, seconds, segment } from '../fields.ts'

export const detectLaughterSettings = z.object({
  threshold: z
    .number()
    .min(0.05)
    .max(1)
    .default(0.25)
    .describe('A segment has at least this score somewhere. 0.5 finds only what is clearly laughter.'),
  min_segment_seconds: seconds.default(0.3),
  audio_track: oneAudioTrack,
})

const kinds = ['laughter', 'baby_laughter', 'giggle', 'snicker', 'belly_laugh', 'chuckle'] as const

export const detectLaughterEndpoint = defineEndpoint({
  id: 'audio/detect-laughter',
  title: 'Find laughter',
  summary: 'Find laughter, with a score for each segment.',
  description:
    'Finds laughter, also under speech and music, and what kind it is most like. It finds few false laughs. It misses short laughs, quiet laughs, and laughs of cartoon voices. Times are accurate to half a second. The analysis is stored with the media: the next job on it, with another threshold, reads nothing.',
  keywords: 'where, when and every time they laugh, giggle, chuckle, funny, jokes, humour, timestamps',
  goals: ['find where they laugh', 'list every laugh with its time', 'when does anybody giggle between 1:00 and 5:00'],
  needs: { audio: true },
  models: ['sound-tags'],
  settings: detectLaughterSettings,
  result: z.object({
    media_seconds: mediaSeconds,
    segments: z.array(
      segment.extend({
        score: z.number().describe('0 to 1: the highest probability of laughter in it.'),
        kind: z.enum(kinds),
      }),
    ),
    total_segment_seconds: z.number(),
    analysis,
  }),
  producesFiles: false,
  price: { unit: 'media_minute', rateMicroUsdPerMinute: microUsd(5_000) },
  exportNouns: { segments: 'laugh' },
  example: { settings: { threshold: 0.4 } },
  run: async () => (await import('./run.ts')).runDetectLaughter,
})
