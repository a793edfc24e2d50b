import { z } from 'zod'
import { captionStyles, crowdedAt, maxShownCues } from '../core/captions.ts'
import { strictFields } from '../core/input-problems.ts'
import { CaptionsError, readCaptions } from '../core/read-captions.ts'
import { jobIdSetting, type NamedJob } from './timeline.ts'

/** Subtitles of two hours; a request has at most 256 KiB. */
const maxTextLength = 200_000

export const captionsSetting = strictFields(
  {
    job_id: jobIdSetting
      .optional()
      .describe(
        'A completed job of audio/find-words on this media, or on other media of the same recording, whose transcript makes the captions. A job with the transcript of media of another length fails, at no cost.',
      ),
    text: z
      .string()
      .min(1)
      .max(maxTextLength)
      .optional()
      .describe('Instead of job_id: SubRip or WebVTT, with the times of the source.'),
    as: z
      .enum(['sidecar', 'burn'])
      .default('sidecar')
      .describe(
        `sidecar: a WebVTT and a SubRip file beside each clip. burn: part of the picture, at most ${maxShownCues} captions simultaneously, which change at most ten times a second.`,
      ),
    style: z
      .enum(captionStyles)
      .default('plain')
      .describe('Of burnt captions. plain: white with a dark outline. boxed: on a dark box. large: plain, for phones.'),
  },
  { example: '{ "job_id": "<id of a completed audio/find-words job>", "as": "burn" }' },
)

export type CaptionsSetting = z.output<typeof captionsSetting>

/** Whether the settings of a clip draw captions, which can take as long as encoding. */
export function burnsCaptions({ captions }: { readonly captions?: CaptionsSetting | undefined }): boolean {
  return captions?.as === 'burn'
}

/** The job whose transcript makes the captions of a clip. */
export function jobsOfCaptions({ captions }: { readonly captions?: CaptionsSetting | undefined }): NamedJob[] {
  const jobId = captions?.job_id
  return jobId === undefined ? [] : [{ setting: 'captions.job_id', jobId, anyOf: ['transcript'] }]
}

/** A message about captions that cannot be made, or undefined. */
export function refuseCaptions({ job_id, text, as }: CaptionsSetting): string | undefined {
  if ((job_id === undefined) === (text === undefined))
    return 'settings.captions: send job_id, the id of an audio/find-words job, or text, SubRip or WebVTT.'
  try {
    const cues = text === undefined ? [] : readCaptions(text)
    const crowded = as === 'burn' ? crowdedAt(cues) : undefined
    if (crowded === undefined) return undefined
    return `settings.captions.text: more than ${maxShownCues} captions overlap at ${crowded} seconds. Make them shorter, or send "as": "sidecar".`
  } catch (error) {
    if (error instanceof CaptionsError) return `settings.captions.text: ${error.message}`
    throw error
  }
}
