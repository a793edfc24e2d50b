import { clipFormats } from '../../../src/core/media.ts'
import type { ClipFit } from '../../../src/core/picture.ts'
import { secondsOfPieces } from '../../../src/goals/goal-times.ts'
import { type Goal, matchOf } from '../../../src/goals/goals.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { aspectIn } from '../../../src/goals/shapes.ts'
import { placeholders } from './placeholders.ts'
import type { WantedJob } from './tool-calls.ts'

// What a goal in words states about a clip: times, and settings.

type Settings = Readonly<Record<string, unknown>>

/** The request of a clip around moments that the goal states. */
export function clipNearIn(goal: ReadGoal): WantedJob {
  const settings = clipSettingsIn(goal)
  const [time] = goal.times
  if (time === undefined) return isEmpty(settings) ? {} : { start: placeholders.moment, settings }
  if (goal.times.length > 1) return { settings: { moments: goal.times, ...settings } }
  return { start: time, settings }
}

/** The request of a clip of a window, or of ranges, that the goal states. */
export function clipWindowIn(goal: ReadGoal): WantedJob {
  const times = windowIn(goal)
  const of = clipSettingsIn(goal)
  const stated = isEmpty(of) && matchOf(goal, soundGoals) > 0 ? { format: 'm4a' } : of
  if (isEmpty(stated)) return times
  // Without a time, all of the media is meant.
  const whole = isEmpty(times) ? { start: '0' } : {}
  return { ...whole, ...times, settings: { ...times.settings, ...stated } }
}

/** Without the name of a format. */
const soundGoals: readonly Goal[] = [
  [
    ['extract', 'only', 'rip', 'pull', 'save'],
    ['audio', 'sound ', 'soundtrack'],
  ],
]

function windowIn({ text, windows }: ReadGoal): WantedJob {
  const [window] = windows
  if (!window) return piecesIn(text)
  const isRemoved = /\b(remove|delete|drop|skip|cut out|get rid|without|off)\b/.test(text)
  if (isRemoved) return { settings: { ranges: windows, ranges_mode: 'remove' } }
  if (windows.length === 1) return { ...window }
  const isEach = /\b(separate(ly)?|individual(ly)?|each|own files?)\b/.test(text)
  return { settings: { ranges: windows, ...(isEach ? { join: false } : {}) } }
}

/** Pieces of equal length: only the media says how many. */
function piecesIn(text: string): WantedJob {
  const seconds = secondsOfPieces(text)
  if (seconds === undefined) return {}
  const piece = (index: number) => ({ start: seconds * index, end: seconds * (index + 1) })
  return { settings: { ranges: [piece(0), piece(1), placeholders.nextPieces], join: false } }
}

const formatWords = new RegExp(`\\b(?:an?|as|to|into|in|save|want)\\s+(?:an?\\s+)?\\.?(${clipFormats.join('|')})\\b`)
const loudnessWords = /\b(normali[sz]|loudness|louder|lufs)/
const lufs = /-\s?(\d{1,2}(?:\.\d)?)\s*lufs/
/** What podcasts have. */
const usualLufs = 16

export function clipSettingsIn({ text }: ReadGoal): Settings {
  const [, format] = formatWords.exec(text) ?? []
  const loudness = loudnessWords.test(text) ? -Number(lufs.exec(text)?.[1] ?? usualLufs) : undefined
  return {
    ...(format === undefined ? {} : { format }),
    ...pictureSettingsIn(text),
    ...captionsIn(text),
    ...(loudness === undefined ? {} : { loudness }),
  }
}

const fits: readonly (readonly [RegExp, ClipFit])[] = [
  [/\bblur/, 'blur'],
  [/\b(pad|padding|padded|bars|letterbox\w*)\b/, 'pad'],
]
const heightWords = /\b(\d{3,4})p\b/

/** The settings of the picture, which only some goals state. */
function pictureSettingsIn(text: string): Settings {
  const aspect = aspectIn(text)
  const fit = aspect && fits.find(([words]) => words.test(text))?.[1]
  const height = heightWords.exec(text)?.[1]
  return { ...(aspect ? { aspect } : {}), ...(fit ? { fit } : {}), ...(height ? { height: Number(height) } : {}) }
}

const captionWords = /\b(caption|subtitle)/
const burnWords = /\b(burn|hard-?cod)/
const sidecarWords = /\b(srt|vtt|webvtt|sidecar|separate|file)\b/

/** Captions of clips are mostly meant to be seen without a player's help. */
function captionsIn(text: string): Settings {
  if (!captionWords.test(text)) return {}
  const as = sidecarWords.test(text) && !burnWords.test(text) ? 'sidecar' : 'burn'
  return { captions: { job_id: placeholders.transcriptJob, as } }
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
