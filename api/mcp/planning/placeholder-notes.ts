import { clipFormats } from '../../../src/core/media.ts'
import { maxFrames } from '../../../src/endpoints/video-best-frames/declaration.ts'
import { maxMoments } from '../../../src/endpoints/video-clip-near/moments.ts'
import { maxRangesWith } from '../../../src/endpoints/video-clip-window/ranges.ts'
import { ofMediaSeconds } from '../../../src/goals/goal-times.ts'
import { placeholders } from './placeholders.ts'

const maxFiles = maxRangesWith({ join: false })
const length = 'The first svc.check_job_readiness returns media_seconds.'

/** How to replace the placeholders that begin so. */
const replacements: readonly (readonly [beginning: string, note: string])[] = [
  [ofMediaSeconds, `Replace <media_seconds …> by that time, in seconds. ${length}`],
  [
    placeholders.transcriptJob,
    `Replace ${placeholders.transcriptJob} by the id of the audio/find-words job. Or leave that job out, and send captions.text instead of captions.job_id: SubRip or WebVTT.`,
  ],
  [
    '<segments of ',
    `Replace <segments of …> by segments of that result, each with start and end: all of them, or those that the user wants. A job takes at most ${maxRangesWith({ join: true })} ranges, or ${maxFiles} with "join": false.`,
  ],
  [
    '<ranges of ',
    'Replace <ranges of …> by all ranges of that result, in their order. The ranges beside them keep the rest of the media.',
  ],
  [
    '<times of ',
    `Replace <times of …> by the starts of segments in that result: all of them, or those that the user wants. A job takes at most ${maxMoments}.`,
  ],
  [
    '<first start of ',
    'Replace <first start of …> by the start of the first segment in that result, and <last end of …> by the end of the last one.',
  ],
  [
    placeholders.howMany,
    `Replace ${placeholders.howMany} by a number. The loudest segments are those with the highest mean level; nothing else is judged.`,
  ],
  [
    placeholders.moment,
    `Replace ${placeholders.moment} by its time. Jobs such as audio/find-words or audio/detect-energy find moments; no endpoint judges which is the best.`,
  ],
  [
    placeholders.nextMoments,
    `Replace ${placeholders.nextMoments} by the times of the other moments, or leave it out: a job takes at most ${maxMoments}.`,
  ],
  [
    placeholders.nextPieces,
    `Replace ${placeholders.nextPieces} by the ranges that follow; the last one has "end": "". ${length} A job makes at most ${maxFiles} files.`,
  ],
  [
    placeholders.nextTimes,
    `Replace ${placeholders.nextTimes} by the times that follow. ${length} A job takes at most ${maxFrames} times: create one for each ${maxFrames}.`,
  ],
  [placeholders.nextRanges, `Replace ${placeholders.nextRanges} by the other ranges, or leave it out.`],
  [placeholders.start, `Replace ${placeholders.start} and ${placeholders.end} by the times that the user wants.`],
  [
    placeholders.picture,
    `Replace ${placeholders.picture} by the id of each uploaded picture: JPEG or WebP, and at most ${maxFrames} a job.`,
  ],
  [
    placeholders.earlierJob,
    `Replace ${placeholders.earlierJob} by the id of a completed job that found segments; svc.list_jobs lists jobs.`,
  ],
  [
    placeholders.phrase,
    `Replace ${placeholders.phrase} by the words or phrases to find. A job of audio/find-words without queries returns the whole transcript.`,
  ],
  [placeholders.format, `Replace ${placeholders.format} by one of ${clipFormats.join(', ')}.`],
  [placeholders.height, `Replace ${placeholders.height} by the height of the picture, such as 720.`],
  [
    placeholders.loudness,
    `Replace ${placeholders.loudness} by a loudness from -40 to -5: -16 is usual for podcasts, -14 for video sites, -23 for broadcast. Lower is quieter.`,
  ],
  [placeholders.amount, `Replace ${placeholders.amount} by the amount, as a number.`],
  [placeholders.keyName, `Replace ${placeholders.keyName} by a name by which its owner recognizes it.`],
  [placeholders.cut, `Replace ${placeholders.cut} by each word or phrase to cut.`],
  [
    placeholders.script,
    `Replace ${placeholders.script} by the text of the script: words that are not in it are cut, and of several takes the last one stays.`,
  ],
]

/** How to replace each placeholder of the arguments. */
export function notesOnPlaceholders(given: object): string[] {
  const text = JSON.stringify(given)
  return replacements.filter(([beginning]) => text.includes(`"${beginning}`)).map(([, note]) => note)
}
