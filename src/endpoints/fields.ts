import { z } from 'zod'
import {
  CaptionsError,
  captionPositions,
  captionSafeAreas,
  captionStyles,
  crowdedAt,
  maxShownCues,
  readCaptions,
  spokenLengths,
} from '../core/captions.ts'
import { strictFields } from '../core/input-problems.ts'
import { clipFormats, maxTruePeakDbtp } from '../core/media.ts'
import { clipAspects, clipFits, cropFollows, cropSubjects } from '../core/picture.ts'
import { daySeconds, maxSeconds } from '../core/time-code.ts'
import { jobIdSetting, type NamedJob } from './define-timeline-endpoint.ts'

/** Subtitles of two hours; a request has at most 256 KiB. */
const maxTextLength = 200_000

export const colour = z.string().regex(/^#[\da-f]{6}$/i, 'expected a colour such as #ffd400')

const captionsSetting = strictFields(
  {
    job_id: jobIdSetting
      .optional()
      .describe(
        'A completed job of audio/find-words on this media, or on other media of the same recording and length: its transcript makes the captions.',
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
      .describe(
        'Of burnt captions. plain: with a dark outline. boxed: on a dark box. large: plain, for phones. highlight, highlight_box: a few words, of which the spoken one has another colour or a box. one_word: each word alone. These need job_id.',
      ),
    position: z
      .enum(captionPositions)
      .default('bottom')
      .describe('Of burnt captions. In the middle, they cover faces that a crop follows.'),
    safe_area: z
      .enum(captionSafeAreas)
      .optional()
      .describe('Keeps burnt captions of 9:16 off what apps draw over film. all: also TikTok.'),
    colour: colour.optional().describe('#ffffff, or as in brand.'),
    highlight_colour: colour.optional().describe('#ffd400, or as in brand.'),
  },
  { example: '{ "job_id": "<id of a completed audio/find-words job>", "as": "burn" }' },
)

export type CaptionsSetting = z.output<typeof captionsSetting>

/** Whether a clip takes longer than the pixels of its source say: it is drawn on, or its picture can be larger. */
export function takesLongerThanSource({
  aspect,
  captions,
  brand,
}: {
  readonly aspect: string
  readonly captions?: CaptionsSetting | undefined
  readonly brand?: string | undefined
}): boolean {
  return aspect !== 'source' || captions?.as === 'burn' || brand !== undefined
}

/** The job whose transcript makes the captions of a clip. */
export function jobsOfCaptions({ captions }: { readonly captions?: CaptionsSetting | undefined }): NamedJob[] {
  const jobId = captions?.job_id
  return jobId === undefined ? [] : [{ setting: 'captions.job_id', jobId, anyOf: ['transcript'] }]
}

/** A message about captions that cannot be made, or undefined. */
export function refuseCaptions({ job_id, text, as, style }: CaptionsSetting): string | undefined {
  if ((job_id === undefined) === (text === undefined))
    return 'settings.captions: send job_id, the id of an audio/find-words job, or text, SubRip or WebVTT.'
  if (text !== undefined && as === 'burn' && style in spokenLengths)
    return `settings.captions: "style": "${style}" needs the time of each word. Send job_id, the id of an audio/find-words job.`
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

/** Schemas that several endpoints share. */

export const seconds = z.number().min(0).max(daySeconds)

const levelForms = 'expected dBFS from -90 to 0, or a linear amplitude above 0 up to 1'

export const level = z
  .number()
  .min(-90, levelForms)
  .max(1, levelForms)
  .describe('-90 to 0: a level in dBFS. Above 0, up to 1: a linear amplitude.')

export const audioTrack = z
  .union([z.literal('default'), z.literal('all'), z.int().min(0).max(63)])
  .default('default')
  .describe('The default track, the track with this index, or all tracks combined.')

export const oneAudioTrack = z
  .union([z.literal('default'), z.int().min(0).max(63)])
  .default('default')
  .describe('The default track, or the track with this index.')

export const timeForms = 'Seconds, "12.5", "MM:SS(.mmm)" or "HH:MM:SS(.mmm)".'

export const time = z.union([z.number().min(0).max(maxSeconds), z.string().max(32)]).describe(timeForms)

/** Words or phrases to find. */
export const queries = z.array(z.string().trim().min(1).max(200)).max(100).default([])

/** The queries that a plan leaves to the caller. */
export const openQueries = {
  settings: { queries: ['<words>'] },
  placeholders: {
    '<words>': 'a word or phrase to find. Without queries, the result is all that is said or shown',
  },
}

export const wordMatching = z
  .enum(['exact', 'stem', 'fuzzy'])
  .default('exact')
  .describe(
    'exact: the same words; case, accents and punctuation do not count. stem: also other endings, such as run and running. fuzzy: also words with a letter or two that differ.',
  )

export type WordMatching = z.output<typeof wordMatching>

export const segment = z.object({
  start: z.number().describe('Seconds from the start of the media.'),
  end: z.number(),
  duration: z.number(),
})

export const share = z.number().describe('0 to 1.')

export const faceBox = z.object({
  x: z.number().describe('Left edge, as a share of the width of the picture.'),
  y: z.number().describe('Upper edge, as a share of its height.'),
  width: z.number(),
  height: z.number(),
  score: z.number().describe('How sure it is that this is a face, 0 to 1.'),
})

export const analysis = z
  .enum(['computed', 'reused'])
  .describe('reused: the analysis by an earlier job of this account on the same media was sufficient.')

export const mediaSeconds = z.number().describe('Length of the whole media in seconds.')

const pointFields = { x: z.number().min(0).max(1), y: z.number().min(0).max(1) }

const loudnessForms = 'expected keep, or LUFS from -40 to -5'

export const clipSettings = {
  format: z
    .enum(clipFormats)
    .optional()
    .describe(
      "The clip's container. When left out, the source's; mp4 for mkv and for ogg with a picture, and m4a for mka and amr.",
    ),
  aspect: z
    .enum(clipAspects)
    .default('source')
    .describe(
      'The shape of the picture, 1080 pixels on its shorter side unless height is given: 9:16 for vertical video, 1:1 and 4:5 for feeds, 16:9 for players.',
    ),
  height: z
    .int()
    .min(16)
    .max(4320)
    .optional()
    .describe('Pixels from top to bottom. A picture is not enlarged further than aspect does.'),
  quality: z.enum(['high', 'balanced', 'fast']).default('balanced'),
  captions: captionsSetting
    .optional()
    .describe('Captions, which keep their place where ranges were removed: of a transcript, or SubRip or WebVTT.'),
  brand: z
    .string()
    .max(100)
    .optional()
    .describe('The id of a brand: its logo, and its font, colours and margins for burnt captions.'),
  loudness: z
    .union([z.literal('keep'), z.number().min(-40, loudnessForms).max(-5, loudnessForms)])
    .default('keep')
    .describe(
      `The integrated loudness of each file, in LUFS (EBU R 128): -16 for podcasts, -14 for most video sites, -23 for broadcast. A limiter keeps peaks at or below ${maxTruePeakDbtp} dBTP. keep: as in the source.`,
    ),
  audio_only: z.boolean().default(false).describe('Leave out the picture.'),
  fit: z
    .enum(clipFits)
    .default('crop')
    .describe(
      'How the picture gets the shape of aspect. crop: a part of it, which follows faces where the service can find them. pad: all of it between black bars. blur: all of it in front of a blurred copy.',
    ),
  focus: z
    .union([z.enum(cropSubjects), strictFields(pointFields)])
    .default('faces')
    .describe(
      'What a crop keeps inside, or a point as shares of width and height; the centre where there is nothing of the kind. text: lines on the screen.',
    ),
  focus_points: z
    .array(strictFields({ start: seconds, end: seconds, ...pointFields }))
    .max(200)
    .default([])
    .describe('Points that a crop keeps to instead, from start to end in seconds of the media.'),
  mode: z
    .enum(['exact', 'smart', 'copy'])
    .default('exact')
    .describe(
      'exact: encoded, starts and ends exactly on the frame. smart: as exact, but H.264 and HEVC are encoded only up to the first and from the last keyframe in a range and copied between them, which is faster and keeps their quality and codec. copy: nothing is encoded, so each range starts at the keyframe at or before its start and can end some frames late. If the media does not allow smart or copy, the clip is exact, and receipt.fallback_reason says why.',
    ),
  deinterlace: z
    .boolean()
    .default(false)
    .describe(
      'Makes one progressive picture of the two fields of each interlaced frame (bwdif). false: H.264 keeps both fields; other codecs, shapes and sizes are deinterlaced in any case.',
    ),
  audio_fade_ms: z
    .number()
    .min(0)
    .max(1000)
    .default(5)
    .describe('Length of the fade at both ends and of the crossfade at joints, which prevent clicks.'),
}

const span = z.object({ start: z.number(), end: z.number() })

/** Times are seconds on the clock of the source. */
export const receipt = z
  .object({
    requested: span.describe('The window requested.'),
    stored: span.describe('The window that the file contains.'),
    presented: span.describe('The window that a player shows.'),
    ranges: z
      .array(z.object({ requested: span, presented: span, at: z.number().describe('Start of the range in the clip.') }))
      .optional()
      .describe('The joined ranges, in order. requested, stored and presented then extend from the first to the last.'),
    joints: z
      .int()
      .describe(
        'Points where two ranges with a gap between them meet. What was taken out before the first range or after the last makes none.',
      ),
    joint_steps_db: z
      .array(z.number())
      .optional()
      .describe(
        'How much louder the sound is after each joint than before, in dB. Left out without joints or sound, and with copy.',
      ),
    drift_ms: z.int().describe('The length produced minus the length requested, at the end of the clip.'),
    mode: z.enum(['exact', 'smart', 'copy']).describe('The mode by which the file was made.'),
    fallback_reason: z.string().optional().describe('Why the mode is not the one asked for, if it is not.'),
    frames_encoded: z.int().describe('Video frames encoded; 0 without video.'),
    frames_copied: z.int().describe("Video frames that are the source's, bit by bit."),
    pieces: z
      .object({
        rendered: z.int().describe('Pieces made for this job.'),
        reused: z.int().describe('Pieces that an earlier job made.'),
      })
      .optional()
      .describe(
        'Of the picture, if it is made in pieces: a clip that is made again with another focus point takes the others.',
      ),
    audio_video_offset_ms: z
      .number()
      .nullable()
      .describe('End of audio minus end of video; null without audio or video.'),
    variable_frame_rate: z.boolean().describe('Whether the source has a variable frame rate.'),
    video_codec: z.string().nullable(),
    audio_codec: z.string().nullable(),
    loudness: z
      .array(z.object({ integrated_lufs: z.number(), true_peak_dbtp: z.number() }))
      .optional()
      .describe('Of each audio track of the file, measured in the file, if a loudness was asked for.'),
    picture: z
      .object({
        width: z.int(),
        height: z.int(),
        aspect: z.enum(clipAspects),
        fit: z.enum([...clipFits, 'scale']).describe('scale: the source had the shape already.'),
        follows: z
          .enum(cropFollows)
          .optional()
          .describe(
            'What a crop followed, before all what was asked for. centre: nothing was found in the clip, or the service lacks the model. held: what is just before or after it.',
          ),
        stretches: z
          .array(z.object({ ...span.shape, follows: z.array(z.enum(cropFollows)) }))
          .optional()
          .describe('What a crop followed in each piece of the clip, what it followed longest first.'),
      })
      .optional()
      .describe('If aspect or height was asked for.'),
    captions: z
      .object({
        as: z.enum(['sidecar', 'burn']),
        style: z.enum(captionStyles).optional(),
        count: z.int().describe('Captions in the clip.'),
        outside: z.int().describe('Captions of the source that are not in the clip.'),
      })
      .optional()
      .describe('If they were asked for.'),
    substitutions: z
      .array(z.string())
      .describe(
        'What differs from the source because of the container or the encoder: codecs, fields, transparency, sizes.',
      ),
    dropped_streams: z.array(z.string()).describe('Streams of the source that are not in the clip.'),
    warnings: z
      .array(z.string())
      .describe('Damage found in the source, a loudness that was not reached, and ranges that are not in the clip.'),
    bytes_read: z
      .int()
      .nullable()
      .describe('Bytes of the media downloaded for the job so far; null if the media is on a disk of the service.'),
    brand: z
      .object({ id: z.string(), name: z.string() })
      .optional()
      .describe('The brand that the clip has, with its name when the clip was made.'),
  })
  .meta({ id: 'ClipReceipt' })
