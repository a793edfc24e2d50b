import { fillers } from '../../../src/chains/clean-speech.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { maxFrames } from '../../../src/endpoints/video-best-frames/declaration.ts'
import { cropShapes } from '../../../src/endpoints/video-thumbnail-score/declaration.ts'
import { clipLengthIn, intervalIn, numberOf, shortestPauseIn } from '../../../src/goals/goal-lengths.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { aspectIn } from '../../../src/goals/shapes.ts'
import { frameWords, silenceWords, textWords, transcriptWords } from '../../../src/goals/words.ts'
import { asksForCut } from './asks-for-file.ts'
import { lengthOfJoined } from './joined-clips.ts'
import { placeholders } from './placeholders.ts'
import { clipNearIn, clipWindowIn } from './stated-clip.ts'
import type { WantedJob } from './tool-calls.ts'
import { windowIn } from './windows-of-work.ts'

// What a goal in words states about the request of an endpoint: times, and settings.

type Settings = Readonly<Record<string, unknown>>

/** The parts of a job's request that the goal states, and placeholders for what it must state. The defaults do for the rest. */
export function wantedBy(endpoint: Endpoint, goal: ReadGoal): WantedJob {
  const times = timesBy[endpoint.id]
  if (times) return times(goal)
  const readsMedia = endpoint.stage === 'live' && endpoint.readsMedia
  return { ...(readsMedia ? windowIn(goal) : {}), settings: settingsBy[endpoint.id]?.(goal) ?? {} }
}

/** Whether its work is at the times of the goal, and not in what a window holds. */
export function isAtTimes({ id }: Endpoint): boolean {
  return Object.hasOwn(timesBy, id)
}

/** Endpoints whose work is at times of the goal. */
const timesBy: Readonly<Record<string, (goal: ReadGoal) => WantedJob>> = {
  'video/clip-near': clipNearIn,
  'video/clip-window': clipWindowIn,
  'video/thumbnail-score': thumbnailsIn,
}

/** Endpoints that look at the media, or at one window of it. */
const settingsBy: Readonly<Record<string, (goal: ReadGoal) => Settings>> = {
  'audio/find-words': (goal) => queriesIn(goal, searchesSpeech(goal)),
  'audio/semantic-chunks': chunksIn,
  'audio/detect-silence': silencesIn,
  'audio/detect-energy': loudestIn,
  'video/text-frames': (goal) => queriesIn(goal, goal.sought.length > 0),
  'video/best-frames': framesIn,
  'timeline/suggest-ranges': () => ({ job_id: placeholders.earlierJob }),
  'timeline/merge': mergedIn,
}

/** The phrases that the goal names. Without any, and without a search, the result is all that is said or shown. */
export function queriesIn({ text, quoted, sought }: ReadGoal, isSearch: boolean): Settings {
  if (quoted.length > 0) return { queries: quoted }
  if (!isSearch) return {}
  if (sought.length > 0) return { queries: sought }
  return { queries: /\b(ums?|uhs?|fillers?)\b/.test(text) ? fillers : [placeholders.phrase] }
}

/** Whether the goal looks for a phrase, and not for the whole transcript, or for that of a window. */
function searchesSpeech(goal: ReadGoal): boolean {
  if (matchOf(goal, [[transcriptWords]]) > 0) return false
  const isWhole = goal.windows.length + goal.times.length > 0 || matchOf(goal, [[textWords]]) > 0
  return goal.sought.length > 0 || !isWhole
}

export function silencesIn(goal: ReadGoal): Settings {
  const seconds = matchOf(goal, [[silenceWords]]) > 0 ? shortestPauseIn(goal.text) : undefined
  return seconds === undefined ? {} : { min_silence_seconds: seconds }
}

/** Without a length, a chunk is a topic, which can be long. */
function chunksIn(goal: ReadGoal): Settings {
  const isShort = matchOf(goal, [[['short', 'reels ', 'tiktok', 'bite-size']]]) > 0
  const stated = lengthOfJoined(goal) === undefined ? clipLengthIn(goal.text) : undefined
  const seconds = stated ?? (isShort ? usualShortSeconds : 0)
  return seconds >= shortestTargetSeconds ? { target_seconds: seconds } : {}
}

const usualShortSeconds = 60
/** A shorter target needs a lower `min_seconds`. */
const shortestTargetSeconds = 10

/** A file of the loudest moments needs their number; a list of them has all, with their levels. */
function loudestIn(goal: ReadGoal): Settings {
  const number = numberOf(goal.text, ['loud', 'noisiest', 'moment', 'peak', 'cheer', 'clip', 'highlight'])
  if (number) return { top: number }
  if (/\b(loudest|noisiest) (moment|peak|part|point|bit)\b/.test(goal.text)) return { top: 1 }
  return /\b(loudest|noisiest)\b/.test(goal.text) && asksForCut(goal) ? { top: placeholders.howMany } : {}
}

const oneFrame = new RegExp(String.raw`\b(?:an?|one|the|1) (?:[a-z]+ ){0,2}?(?:${frameWords.join('|')})\b(?!s)`)

/** How many frames the goal asks for. */
function framesIn({ text }: ReadGoal): Settings {
  const number = numberOf(text, frameWords) ?? (oneFrame.test(text) ? 1 : undefined)
  return number ? { count: Math.min(number, maxFrames) } : {}
}

/** The number of thumbnails. Of one alone, several frames are ranked, and the best comes first. */
export function rankedFramesIn({ text }: ReadGoal): Settings {
  const number = numberOf(text, frameWords) ?? 1
  return number > 1 ? { count: Math.min(number, maxFrames) } : {}
}

/** The shape of thumbnails. */
export function cropsIn(text: string): Settings {
  const aspect = cropShapes.find((shape) => shape === aspectIn(text))
  return aspect ? { crops: [aspect] } : {}
}

function thumbnailsIn({ text, words, times }: ReadGoal): WantedJob {
  const crops = cropsIn(text)
  if (words.includes(' <pictures> ')) return { settings: { upload_ids: [placeholders.picture], ...crops } }
  if (times.length > 0) return { settings: { times, ...crops } }
  const seconds = intervalIn(text)
  const next = seconds === undefined ? [placeholders.moment] : [0, seconds, seconds * 2, placeholders.nextTimes]
  return { settings: { times: next, ...crops } }
}

const mergeModes: readonly (readonly [words: RegExp, mode: string])[] = [
  [/\b(intersect|overlap|both)/, 'intersection'],
  [/\bsubtract/, 'subtract'],
]

function mergedIn({ text }: ReadGoal): Settings {
  const mode = mergeModes.find(([words]) => words.test(text))?.[1]
  return { job_ids: [placeholders.earlierJob, placeholders.anotherJob], ...(mode ? { mode } : {}) }
}
