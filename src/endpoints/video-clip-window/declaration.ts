import { z } from 'zod'
import { mediaFormats } from '../../core/media.ts'
import { microUsd } from '../../core/money.ts'
import { shapeWords } from '../../goals/shapes.ts'
import { cutWords, dropWords, removalWords, soundGoals } from '../../goals/words.ts'
import { burnsCaptions, jobsOfCaptions } from '../captions-setting.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { clipSettings, mediaSeconds, receipt } from '../fields.ts'
import { changeOfPicture, refuseClip } from '../refuse-clip.ts'
import { isLongClip, rangeSettings, rangesMilliseconds, rangesToCut, validateRanges, warnOfRanges } from './ranges.ts'

export const clipWindowSettings = z.object({ ...rangeSettings, ...clipSettings })

export const clipWindowEndpoint = defineEndpoint({
  id: 'video/clip-window',
  summary: 'Cut the window from start to end, or several ranges, into a clip, exact to the frame.',
  description:
    'The clip contains the frames that begin between start and end, and the audio of the same window: if start is between two frames, the sound begins up to a frame before the picture. With settings.ranges it contains several ranges, or the media without them: joined in one file without drift or clicks, or in one file each. Audio files can be cut too. settings.aspect and settings.height set the shape and the size of the picture, settings.captions adds captions beside the file or in its picture, and settings.loudness sets the loudness of the file. They cost nothing more.',
  goals: [
    [['<window>']],
    [['<split>'], ['<time>']],
    [removalWords, ['part', 'bit', 'section', 'mistake', 'error'], ['<time>']],
    [
      ['<parts>'],
      ['split', 'divide', 'chop', 'break', 'cut', 'slice', 'separate', 'equal', 'even', 'same', 'piece', 'chunk'],
    ],
    [
      [...cutWords, ...dropWords, 'part'],
      ['<window>'],
      ['from', 'between', 'first', 'only', 'part', 'the', 'cut', 'clip', 'extract', 'keep'],
    ],
    [
      ['audio', 'sound ', ...mediaFormats],
      ['extract', 'only', 'rip', 'convert', 'pull', 'save'],
    ],
    ...soundGoals,
    [['<format>']],
    [
      ['convert', 'change', 'turn', 'transcode', 're-encode'],
      [...mediaFormats, 'format'],
    ],
    [['<louder>', '<quieter>', '<smaller>']],
    [
      ['normaliz', 'normalis', 'loudness', 'lufs'],
      ['audio', 'sound', 'voice', 'speech', 'volume', 'loud', 'lufs', 'podcast', 'video'],
    ],
    [[...shapeWords, 'tiktok', 'reels', 'resiz', 'letterbox', 'resolution', 'downscale', '<size>']],
    [['<standard>'], ['level', 'volume', 'audio', 'sound', 'loud', 'voice', 'speech', 'podcast', 'normali']],
    [['<loudness>'], ['normaliz', 'normalis', 'loudness', 'lufs']],
    [['<captioned>']],
    [['crop'], ['video', 'picture', 'film']],
    [
      ['caption', 'subtitle'],
      ['burn', 'hardcode', 'hard-code', 'clip', 'vertical', 'square', 'portrait', '<9x16>'],
    ],
    [
      ['lossless', 're-encod', 'reencod', 'transcod', 'stream copy', 'smart cut', 'smart-cut'],
      [...cutWords, 'without', 'smart'],
    ],
    [
      ['split', 'divide', 'cut'],
      ['into part', 'into piece', 'into clip', 'into file', 'parts', 'pieces'],
    ],
    [
      ['several', 'multiple', 'these', 'many'],
      ['range', 'part', 'window'],
    ],
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
  windowsToRead: rangesToCut,
  takesLonger: burnsCaptions,
  needsPictureFor: changeOfPicture,
  jobsToRead: jobsOfCaptions,
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
