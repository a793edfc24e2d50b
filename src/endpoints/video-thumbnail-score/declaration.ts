import { z } from 'zod'
import { microUsd } from '../../core/money.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jobIdSetting, uploadIdSetting } from '../define-timeline-endpoint.ts'
import { faceBox, mediaSeconds, share, time } from '../fields.ts'
import { momentsIn } from '../parse-settings.ts'
import { maxFrames } from '../video-best-frames/declaration.ts'
import { billedMillisecondsPerFrame, stretchesOf } from './frame-times.ts'

const cropShapes = ['16:9', '9:16', '1:1'] as const

export const thumbnailScoreSettings = z.object({
  job_id: jobIdSetting
    .optional()
    .describe('A completed job of video/best-frames on this media, whose frames are scored.'),
  times: z
    .array(time)
    .min(1)
    .max(maxFrames)
    .optional()
    .describe(
      'Instead of job_id, or of start for a single frame: moments, at each of which the frame shown is scored.',
    ),
  upload_ids: z
    .array(uploadIdSetting)
    .min(1)
    .max(maxFrames)
    .optional()
    .describe('Instead of media_url: uploads of JPEG, PNG or WebP pictures, of at most 32 MiB each, which are scored.'),
  crops: z
    .array(z.enum(cropShapes))
    .max(cropShapes.length)
    .default([...cropShapes])
    .describe('The shapes to which each frame is cropped. Without any, no file is made.'),
})

export const thumbnailScoreEndpoint = defineEndpoint({
  id: 'video/thumbnail-score',
  title: 'Rank thumbnails',
  summary: 'Rank frames as thumbnails, and crop them around what people look at.',
  description:
    'Scores the frames of a video/best-frames job, those shown at moments of your choice, or pictures that you uploaded. The score counts faces that are wholly in the frame, sharpness, exposure, contrast, colour, and how well the picture is recognized 168 pixels wide. Each is cropped around its faces, or around its detail where it shows none. outputs has the crops as JPEGs, in the order of frames and of their crops; a single crop is in output instead. Each frame or picture is billed as one second of media.',
  keywords: 'compare, which is better, rank pictures or images, screenshot at a time, every few seconds',
  goals: [
    'a screenshot at 1:15',
    'rank these images as thumbnails',
    'which of my two pictures is the better thumbnail',
  ],
  needs: { video: true },
  models: ['find-faces'],
  settings: thumbnailScoreSettings,
  result: z.object({
    media_seconds: mediaSeconds.optional().describe('The length of the media. Left out for uploaded pictures.'),
    frames: z
      .array(
        z.object({
          rank: z.int().describe('1 is the best.'),
          time: z
            .number()
            .optional()
            .describe('When the frame begins, in seconds from the start of the media. Left out for uploaded pictures.'),
          upload_id: z.string().optional().describe('The upload of the picture.'),
          score: share,
          reasons: z.array(z.string()).describe('What is good about it, and what is not.'),
          measures: z.object({
            faces: share.describe('0 without a face that is wholly in the frame.'),
            sharpness: share,
            exposure: share,
            contrast: share,
            colour: share,
            legibility: share.describe('How well it is recognized 168 pixels wide.'),
          }),
          faces: z.array(faceBox),
          point_of_interest: z
            .object({ x: z.number(), y: z.number() })
            .describe('As shares of the width and the height of the picture.'),
          crops: z
            .array(
              z.object({
                shape: z.enum(cropShapes),
                left: z.int(),
                top: z.int(),
                width: z.int(),
                height: z.int(),
              }),
            )
            .describe('In pixels of the picture as players show it.'),
        }),
      )
      .describe('The best first.'),
  }),
  exportNouns: { frames: 'frame' },
  producesFiles: true,
  mayHaveNoFile: true,
  price: { unit: 'media_minute', rateMicroUsdPerMinute: microUsd(60_000) },
  example: { settings: { times: [12.5, '00:00:30'], crops: ['16:9', '1:1'] } },
  open: { settings: { times: ['<time>'] }, placeholders: { '<time>': 'a time, in seconds or HH:MM:SS' } },
  validate: (window, { job_id, times, upload_ids }) => {
    if (window.endSeconds !== null) return 'This endpoint does not use end. Use settings.times.'
    const given = [job_id, times, upload_ids, window.startSeconds ?? undefined].filter(
      (each) => each !== undefined,
    ).length
    if (given > 1) return 'Send only one of settings.job_id, settings.times, settings.upload_ids and start.'
    return given === 1
      ? undefined
      : 'Send settings.job_id, settings.times, start for a single frame, or settings.upload_ids for pictures.'
  },
  requestRule: {
    // media_url is not always required.
    required: [],
    oneOf: [
      { required: ['media_url', 'start'] },
      { required: ['media_url', 'settings'], properties: { settings: { required: ['times'] } } },
      { required: ['media_url', 'settings'], properties: { settings: { required: ['job_id'] } } },
      {
        required: ['settings'],
        properties: { settings: { required: ['upload_ids'] } },
        not: { required: ['media_url'] },
      },
    ],
  },
  billableMilliseconds: (window, settings) =>
    ((settings.upload_ids ?? momentsIn(window, settings.times, 'times'))?.length ?? maxFrames) *
    billedMillisecondsPerFrame,
  uploadsToRead: ({ upload_ids }) => upload_ids,
  jobsToRead: ({ job_id: jobId }) => (jobId === undefined ? [] : [{ setting: 'job_id', jobId, anyOf: ['frames'] }]),
  windowsToRead: (window, settings, length) => stretchesOf(momentsIn(window, settings.times, 'times') ?? [], length),
  run: async () => (await import('./run.ts')).runThumbnailScore,
})
