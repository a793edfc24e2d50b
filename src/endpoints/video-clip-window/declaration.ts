import { z } from 'zod'
import { microUsd } from '../../core/money.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { clipSettings, jobsOfCaptions, mediaSeconds, receipt, takesLongerThanSource } from '../fields.ts'
import { changeOfPicture, refuseClip } from '../refuse-clip.ts'
import {
  isLongClip,
  rangeSettings,
  rangesMilliseconds,
  rangesToCut,
  rangesToRead,
  validateRanges,
  warnOfRanges,
} from './ranges.ts'

const { ranges, ...rareRangeSettings } = rangeSettings

/** Those that most clips use come first, as in forms. */
export const clipWindowSettings = z.object({ ranges, ...clipSettings, ...rareRangeSettings })

export const clipWindowEndpoint = defineEndpoint({
  id: 'video/clip-window',
  title: 'Cut',
  summary: 'Cut the window from start to end, or several ranges, into a clip, exact to the frame.',
  description:
    'The clip contains the frames that begin between start and end, and the audio of the same window: if start is between two frames, the sound begins up to a frame before the picture. With settings.ranges it contains several ranges, or the media without them: joined in one file without drift or clicks, or in one file each. Audio files can be cut too. Another shape or size, captions beside the file or in its picture, and another loudness cost nothing more.',
  keywords:
    'from to, between, the first or last minutes, half, thirds, pieces, parts, trim, extract the audio only, convert the format to mp3, resize, vertical crop, reframe, compress, smaller, volume, louder, quieter, captions, subtitles, logo, watermark, brand, lossless without re-encoding',
  goals: [
    'cut from 1:00 to 2:30',
    'keep only minutes 3 to 5',
    'remove the part between 4:00 and 5:00',
    'extract the audio as mp3',
    'crop a video to vertical',
    'split into 10 minute pieces',
    'make it louder for YouTube',
    'put subtitles on my video',
    'put our logo in the corner of a video',
    'cut 1:00 to 2:00 without re-encoding',
    'make the video smaller so I can email it',
  ],
  needs: {},
  settings: clipWindowSettings,
  result: z.object({
    media_seconds: mediaSeconds,
    receipt,
    receipts: z.array(receipt).optional().describe('The receipt of every file, if there are several.'),
  }),
  producesFiles: true,
  price: { unit: 'output_minute', rateMicroUsdPerMinute: microUsd(10_000) },
  example: { start: 12.5, end: '00:00:20', settings: { format: 'mp4' } },
  validate: (window, settings) => refuseClip(settings) ?? validateRanges(window, settings),
  requestRule: {
    oneOf: [
      { anyOf: [{ required: ['start'] }, { required: ['end'] }] },
      { required: ['settings'], properties: { settings: { required: ['ranges'] } } },
    ],
  },
  warn: warnOfRanges,
  billableMilliseconds: rangesMilliseconds,
  windowsToRead: rangesToRead,
  takesLonger: takesLongerThanSource,
  needsPictureFor: changeOfPicture,
  jobsToRead: jobsOfCaptions,
  brandToUse: ({ brand }) => brand,
  parts: {
    // Copying is quicker than dividing the work.
    isWorthwhile: (window, settings, { video, durationSeconds }) =>
      video !== null &&
      !settings.audio_only &&
      settings.mode === 'exact' &&
      isLongClip(rangesToCut(window, settings, durationSeconds), settings),
    load: async () => (await import('./parts.ts')).clipWindowParts,
  },
  run: async () => (await import('./run.ts')).runClipWindow,
})
