import { z } from 'zod'
import { microUsd } from '../../core/money.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { analysis, faceBox, mediaSeconds, segment, share } from '../fields.ts'
import { resolveWindow } from '../parse-settings.ts'

/** More cannot be told apart in one look, and each is a file. */
export const maxFrames = 20

export const bestFramesSettings = z.object({
  count: z.int().min(1).max(maxFrames).default(5).describe('The most frames to return.'),
})

export const bestFramesEndpoint = defineEndpoint({
  id: 'video/best-frames',
  title: 'Find the best frames',
  summary: 'Pick sharp, well exposed frames from different shots.',
  description:
    'Looks where the picture is still, and picks the frames that are sharp, well exposed, rich in contrast and colour, and show whole faces. Frames of different shots come first, and no two look the same. Frames that are dark, blank, noise or blurred are left out, so that a result can have fewer frames than count. outputs has each frame as a JPEG, in the order of frames; a single frame is in output instead. Sizes are as players show them. Closed eyes are not noticed. What it finds is stored with the media: the next job on it decodes only the frames that it returns.',
  keywords: 'screenshots, stills, photos, pictures, images, slides',
  goals: ['take screenshots of sharp frames', 'ten screenshots', '5 pictures from my video'],
  needs: { video: true },
  models: ['find-faces'],
  settings: bestFramesSettings,
  result: z.object({
    media_seconds: mediaSeconds,
    frames: z
      .array(
        z.object({
          time: z.number().describe('Seconds from the start of the media.'),
          score: share,
          reasons: z.array(z.string()).describe('Why it is good, and what is not.'),
          shot: segment.describe('The stretch around it with about the same picture.'),
          measures: z.object({
            sharpness: share,
            exposure: share,
            contrast: share,
            colour: share,
            stillness: share,
            faces: share.describe('0 without a face that is wholly in the frame.'),
          }),
          faces: z.array(faceBox),
        }),
      )
      .describe('The best first.'),
    analysis,
  }),
  exportNouns: { frames: 'frame' },
  producesFiles: true,
  mayHaveNoFile: true,
  price: { unit: 'media_minute', rateMicroUsdPerMinute: microUsd(5_000) },
  example: { settings: { count: 8 } },
  windowsToRead: (window, _settings, length) => [resolveWindow(window, length)],
  run: async () => (await import('./run.ts')).runBestFrames,
})
