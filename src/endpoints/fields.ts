import { z } from 'zod'
import { mediaFormats } from '../core/media.ts'
import { maxSeconds } from '../core/time-code.ts'

/** Schemas that several endpoints share. */

export const seconds = z.number().min(0).max(86_400)

const levelForms = 'expected dBFS from -90 to 0, or a linear amplitude above 0 up to 1'

export const level = z
  .number()
  .min(-90, levelForms)
  .max(1, levelForms)
  .describe('0 or below is dBFS (not below -90); above 0 up to 1 is linear amplitude.')

export const audioTrack = z
  .union([z.literal('default'), z.literal('all'), z.int().min(0).max(63)])
  .default('default')
  .describe('The default track, the track with this index, or all tracks taken together.')

export const time = z
  .union([z.number().min(0).max(maxSeconds), z.string().max(32)])
  .describe('Seconds, "12.5", "MM:SS(.mmm)" or "HH:MM:SS(.mmm)".')

export const segment = z.object({
  start: z.number().describe('Seconds from the start of the media.'),
  end: z.number(),
  duration: z.number(),
})

export const analysis = z
  .enum(['computed', 'reused'])
  .describe('reused: what an earlier job of this account found out about the same media was enough.')

export const mediaSeconds = z.number().describe('Length of the whole media in seconds.')

export const clipSettings = {
  format: z.enum(mediaFormats).optional().describe("The clip's container; the source's when left out."),
  mode: z.enum(['exact']).default('exact').describe('exact: encoded anew, starts and ends on the frame.'),
  quality: z.enum(['high', 'balanced', 'fast']).default('balanced'),
  audio_only: z.boolean().default(false).describe('Leave the picture out.'),
  audio_fade_ms: z
    .number()
    .min(0)
    .max(1000)
    .default(5)
    .describe('Fade at both ends and crossfade at joints, so that they do not click.'),
}

const span = z.object({ start: z.number(), end: z.number() })

/** Times are seconds on the clock of the source. */
export const receipt = z.object({
  requested: span.describe('What was asked for.'),
  stored: span.describe('What the file holds.'),
  presented: span.describe('What a player shows.'),
  ranges: z
    .array(z.object({ requested: span, presented: span, at: z.number().describe('Where it starts in the clip.') }))
    .optional()
    .describe('The ranges that were joined, in order. The three above reach from the first to the last.'),
  joints: z.int().describe('Places where something of the source was left out.'),
  drift_ms: z.int().describe('The length made minus the length asked for, at the end of the clip.'),
  mode: z.literal('exact'),
  frames_encoded: z.int().describe('Video frames encoded; 0 without video.'),
  frames_copied: z.int(),
  audio_video_offset_ms: z.number().nullable().describe('End of audio minus end of video; null where one is missing.'),
  variable_frame_rate: z.boolean().describe('Whether the source has a variable frame rate.'),
  video_codec: z.string().nullable(),
  audio_codec: z.string().nullable(),
  substitutions: z
    .array(z.string())
    .describe('Codecs that the container or this build made different from the source.'),
  dropped_streams: z.array(z.string()).describe('Streams of the source that are not in the clip.'),
  bytes_read: z
    .int()
    .nullable()
    .describe('How much of the media was fetched for the job until then; null where it lies on a disk of the service.'),
})

const storedFile = {
  url: z.url().describe('Signed; refresh it with POST /v1/jobs/{job_id}/outputs/refresh.'),
  expires_at: z.iso.datetime(),
  bytes: z.int(),
  content_type: z.string(),
}

/** The fields that a result with output files has besides its own. */
export const outputFile = z.object({
  ...storedFile,
  duration: z.number(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  poster: z
    .object({ ...storedFile, width: z.int().nullable(), height: z.int().nullable() })
    .nullable()
    .describe('A JPEG from the middle of the clip; null without video.'),
})

export const preview = z
  .object({ url: storedFile.url, expires_at: storedFile.expires_at, content_type: storedFile.content_type })
  .describe('A picture of the waveform with the found segments.')
