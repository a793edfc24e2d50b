import { z } from 'zod'
import { isErrorCode } from '../core/errors.ts'
import { firstFields, type MediaInfo, mediaFormats } from '../core/media.ts'
import type { JobModel as Job } from './generated/models.ts'

// The JSON columns of a job, parsed when they are read and written.

export const mediaInfoSchema = z.object({
  format: z.enum(mediaFormats),
  durationSeconds: z.number(),
  bytes: z.number(),
  audio: z.array(
    z.object({
      codec: z.string(),
      sampleRate: z.number(),
      channels: z.number(),
      layout: z.string().optional(),
      isDefault: z.boolean(),
      endSeconds: z.number().optional(),
      isEmpty: z.boolean().optional(),
    }),
  ),
  unreadAudioTracks: z.number().optional(),
  timecode: z.string().optional(),
  timecodeBase: z.number().optional(),
  secondsSinceMidnight: z.number().optional(),
  video: z
    .object({
      codec: z.string(),
      width: z.number(),
      height: z.number(),
      frameRate: z.number(),
      hasVariableFrameRate: z.boolean(),
      nominalFrameRate: z.number().optional(),
      pixelAspect: z.object({ across: z.number(), down: z.number() }).optional(),
      firstField: z.enum(firstFields).optional(),
    })
    .nullable(),
}) satisfies z.ZodType<MediaInfo>

/** Why a job failed: a code of the error table and its public message. */
export const failureSchema = z.object({ code: z.string().refine(isErrorCode), message: z.string() })

export type Failure = z.output<typeof failureSchema>

/** The caller's labels. */
const metadataSchema = z.record(z.string(), z.string())

export type Metadata = z.output<typeof metadataSchema>

export function mediaInfoOf(job: Pick<Job, 'mediaInfo'>): MediaInfo | undefined {
  return job.mediaInfo === null ? undefined : mediaInfoSchema.parse(job.mediaInfo)
}

export function failureOfJob(job: Pick<Job, 'error'>): Failure | undefined {
  return job.error === null ? undefined : failureSchema.parse(job.error)
}

export function metadataOf({ metadata }: Pick<Job, 'metadata'>): Metadata | undefined {
  return metadata === null ? undefined : metadataSchema.parse(metadata)
}
