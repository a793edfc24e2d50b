import { z } from 'zod'
import { microUsd } from '../../core/money.ts'
import { daySeconds } from '../../core/time-code.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { splitDetection } from '../define-timeline-endpoint.ts'
import { analysis, audioTrack, level, mediaSeconds, seconds, segment } from '../fields.ts'

export const silenceSettings = z.object({
  threshold: z
    .union([level, z.literal('auto')])
    .default(-35)
    .describe(
      'A level in dBFS from -90 to 0, or a linear amplitude above 0 up to 1. auto: chosen for each track between its noise floor and the level of its speech, so that quiet and noisy recordings have the same pauses. threshold_db in the result is the level used.',
    ),
  min_silence_seconds: z.number().min(0.01).max(daySeconds).default(0.5),
  min_segment_seconds: seconds.default(0.1).describe('segments[] leaves out sounding segments shorter than this.'),
  padding_seconds: seconds.max(60).default(0).describe('Extends every sounding segment on both sides.'),
  audio_track: audioTrack,
})

export const detectSilenceEndpoint = defineEndpoint({
  id: 'audio/detect-silence',
  title: 'Find pauses',
  summary: 'Find the silences, and the sounding segments between them.',
  description:
    'A silence is a segment in which every channel stays below threshold for at least min_silence_seconds. The sounding segments are the rest, extended by padding_seconds. Up to 24 hours of audio per job.',
  keywords: 'where are the pauses, gaps, quiet passages, when nobody speaks, timestamps, split at',
  goals: [
    'find the silences',
    'where are the pauses in this talk?',
    'list timestamps of quiet passages',
    'split at every pause',
  ],
  needs: { audio: true },
  settings: silenceSettings,
  result: z.object({
    media_seconds: mediaSeconds,
    silences: z.array(segment),
    segments: z.array(segment),
    total_silence_seconds: z.number(),
    total_segment_seconds: z.number(),
    threshold_db: z
      .number()
      .describe(
        'The level below which sound was silence, in dBFS. With auto and several tracks: of the loudest track.',
      ),
    analysis,
  }),
  producesFiles: false,
  hasPreview: true,
  price: { unit: 'media_minute', rateMicroUsdPerMinute: microUsd(2_000) },
  exportNouns: { segments: 'sound', silences: 'pause' },
  example: { settings: { threshold: -35, min_silence_seconds: 0.5 } },
  parts: splitDetection,
  searchAgain: async () => (await import('./run.ts')).searchSilencesAgain,
  run: async () => (await import('./run.ts')).runDetectSilence,
})
