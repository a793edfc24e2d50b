import { z } from 'zod'
import { toAmplitude } from '../../core/media.ts'
import { microUsd } from '../../core/money.ts'
import { maxResultSegments } from '../../core/segments.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { splitDetection } from '../define-timeline-endpoint.ts'
import { analysis, audioTrack, level, mediaSeconds, seconds, segment } from '../fields.ts'

export const energySettings = z.object({
  threshold: level.default(-20).describe('A window of at least this level starts a segment.'),
  quiet_threshold: level.default(-35).describe('A window below this level ends the segment. At most threshold.'),
  min_segment_seconds: seconds.default(0.3),
  top: z
    .int()
    .min(1)
    .max(maxResultSegments)
    .optional()
    .describe('Only this many segments: the loudest by mean_db, in the order of time.'),
  window_seconds: z.number().min(0.01).max(10).default(0.1),
  audio_track: audioTrack,
})

export const detectEnergyEndpoint = defineEndpoint({
  id: 'audio/detect-energy',
  title: 'Find loud parts',
  summary: 'Find the loud segments and their levels.',
  description:
    'Measures the audio in windows of window_seconds, aligned to 10 ms. A segment starts where the level reaches threshold and lasts until it falls below quiet_threshold. Up to 24 hours of audio per job.',
  keywords:
    'where is it loudest, louder, loud moments or parts, volume, peaks, waveform, applause, the crowd cheers, shouts, screams and claps, exciting',
  goals: [
    'find the loudest moments',
    'find loud moments',
    'where does the crowd cheer',
    'measure the volume over time',
    'draw a waveform of a song',
  ],
  needs: { audio: true },
  settings: energySettings,
  result: z.object({
    media_seconds: mediaSeconds,
    segments: z.array(
      segment.extend({
        mean_db: z.number().describe('RMS level over the segment, dBFS.'),
        peak_db: z.number().describe('Highest sample, dBFS.'),
        score: z.number().describe('0 to 1: the position of the mean level between quiet_threshold and full scale.'),
      }),
    ),
    envelope: z
      .object({
        seconds_per_point: z.number(),
        rms_db: z.array(z.number()).max(1000),
      })
      .describe('For drawing: at most 1,000 points across the window. Pages of a result that begin later have none.'),
    total_segment_seconds: z.number(),
    analysis,
  }),
  producesFiles: false,
  hasPreview: true,
  price: { unit: 'media_minute', rateMicroUsdPerMinute: microUsd(2_000) },
  exportNouns: { segments: 'loud part' },
  example: { settings: { threshold: -20, quiet_threshold: -35 } },
  validate: (_window, { threshold, quiet_threshold }) =>
    toAmplitude(quiet_threshold) > toAmplitude(threshold)
      ? 'settings.quiet_threshold is louder than settings.threshold. Lower it, or raise threshold.'
      : undefined,
  parts: splitDetection,
  searchAgain: async () => (await import('./run.ts')).searchLoudnessAgain,
  run: async () => (await import('./run.ts')).runDetectEnergy,
})
