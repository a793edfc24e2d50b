import { z } from 'zod'
import type { Chain } from '../../src/chains/chains.ts'
import type { StepSettings } from '../../src/chains/dead-space.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { clipFormats } from '../../src/core/media.ts'
import type { ClipFit } from '../../src/core/picture.ts'
import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import {
  fillerWords,
  type Goal,
  joinWords,
  matchOf,
  type ReadGoal,
  transcriptWords,
  wordCutGoals,
} from '../../src/endpoints/goals.ts'
import { aspectIn } from '../../src/endpoints/shapes.ts'
import { pausePresets } from '../../src/endpoints/timeline-suggest-ranges/pauses.ts'
import type { JobRequest } from '../jobs/request-schema.ts'
import type { WantedJob } from './tool-calls.ts'

// What a goal in words states about a request: times, and settings.

/** What to put in place of what the goal does not state. */
export const placeholders = {
  cut: '<what to cut>',
  job: '<job_id>',
  moment: '<moment>',
  phrase: '<what is said>',
  script: '<script>',
  transcriptJob: '<job_id of audio/find-words>',
} as const

/** Refuses what a plan left to the caller. Other texts between angle brackets are settings like any other. */
export function refusePlaceholders({ start, end, settings }: Pick<JobRequest, 'start' | 'end' | 'settings'>): void {
  const parts: unknown[] = [start, end, settings]
  // A caller decides how deep settings are, so that this does not call itself.
  for (const part of parts) {
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner)
    const left = Object.values(placeholders).find((placeholder) => placeholder === part)
    if (left === undefined) continue
    throw new ServiceError('invalid_request', `Replace ${left}, which the plan left open, by what the user wants.`)
  }
}

/** The parts of a job's request that the goal states. */
export function wantedBy(endpoint: Endpoint, goal: ReadGoal): WantedJob {
  const { id } = endpoint
  if (id === 'audio/find-words') return { ...onlyWindowIn(goal), settings: queriesIn(goal, searchesSpeech(goal)) }
  if (id === 'video/text-frames') return { ...onlyWindowIn(goal), settings: queriesIn(goal, false) }
  // Without a length, a chunk is a topic.
  if (id === 'audio/semantic-chunks') return { ...onlyWindowIn(goal), settings: {} }
  const stated = clipSettingsIn(goal)
  const isPlain = Object.keys(stated).length === 0
  if (id === 'video/clip-near') {
    const moment = momentIn(goal)
    if (!moment) return isPlain ? {} : { start: placeholders.moment, settings: stated }
    return { ...moment, settings: { ...moment.settings, ...stated } }
  }
  if (id === 'video/clip-window') return clipWindowIn(goal, stated)
  return readsMedia(endpoint) ? onlyWindowIn(goal) : {}
}

function clipWindowIn(goal: ReadGoal, of: Readonly<Record<string, unknown>>): WantedJob {
  const times = windowIn(goal)
  const isPlain = Object.keys(of).length === 0
  const stated = isPlain && matchOf(goal, soundGoals) > 0 ? { format: 'm4a' } : of
  if (Object.keys(stated).length === 0) return times
  // Without a time, all of the media is meant.
  const whole = Object.keys(times).length === 0 ? { start: '0' } : {}
  return { ...whole, ...times, settings: { ...times.settings, ...stated } }
}

/** Without the name of a format. */
const soundGoals: readonly Goal[] = [
  [
    ['extract', 'only', 'rip', 'pull', 'save'],
    ['audio', 'sound ', 'soundtrack'],
  ],
]

/** The phrases that the goal quotes. Without any, and without a search, the result is all that is said or shown. */
function queriesIn({ phrases }: ReadGoal, isSearch: boolean): Readonly<Record<string, unknown>> {
  if (phrases.length > 0) return { queries: phrases }
  return isSearch ? { queries: [placeholders.phrase] } : {}
}

/** Whether the goal looks for a phrase, and not for the whole transcript. */
function searchesSpeech(goal: ReadGoal): boolean {
  return matchOf(goal, [[transcriptWords]]) === 0
}

function readsMedia(endpoint: Endpoint): boolean {
  return endpoint.stage === 'live' && endpoint.readsMedia
}

function onlyWindowIn({ windows }: ReadGoal): WantedJob {
  return windows.length === 1 ? { ...windows[0] } : {}
}

function momentIn({ times }: ReadGoal): WantedJob | undefined {
  const [time] = times
  if (time === undefined) return undefined
  return times.length === 1 ? { start: time } : { settings: { moments: times } }
}

function windowIn({ text, windows }: ReadGoal): WantedJob {
  const [window] = windows
  if (!window) return {}
  const isRemoved = /\b(remove|delete|drop|skip|cut out|get rid|without|off)\b/.test(text)
  if (isRemoved) return { settings: { ranges: windows, ranges_mode: 'remove' } }
  if (windows.length === 1) return { ...window }
  const isEach = /\b(separate(ly)?|individual(ly)?|each|own files?)\b/.test(text)
  return { settings: { ranges: windows, ...(isEach ? { join: false } : {}) } }
}

const formatWords = new RegExp(`\\b(?:an?|as|to|into|in|save|want)\\s+(?:an?\\s+)?\\.?(${clipFormats.join('|')})\\b`)
const loudnessWords = /\b(normali[sz]|loudness|louder|lufs)/
const lufs = /-\s?(\d{1,2}(?:\.\d)?)\s*lufs/
/** What podcasts have. */
const usualLufs = 16

const fits: readonly (readonly [RegExp, ClipFit])[] = [
  [/\bblur/, 'blur'],
  [/\b(pad|padding|padded|bars|letterbox\w*)\b/, 'pad'],
]
const heightWords = /\b(\d{3,4})p\b/

/** The settings of the picture, which only some goals state. */
function pictureSettingsIn(text: string): Readonly<Record<string, unknown>> {
  const aspect = aspectIn(text)
  const fit = aspect && fits.find(([words]) => words.test(text))?.[1]
  const height = heightWords.exec(text)?.[1]
  return { ...(aspect ? { aspect } : {}), ...(fit ? { fit } : {}), ...(height ? { height: Number(height) } : {}) }
}

const captionWords = /\b(caption|subtitle)/
const burnWords = /\b(burn|hard-?cod)/
const sidecarWords = /\b(srt|vtt|webvtt|sidecar|separate|file)\b/

/** Captions of clips are mostly meant to be seen without a player's help. */
function captionsIn(text: string): Readonly<Record<string, unknown>> {
  if (!captionWords.test(text)) return {}
  const as = sidecarWords.test(text) && !burnWords.test(text) ? 'sidecar' : 'burn'
  return { captions: { job_id: placeholders.transcriptJob, as } }
}

function clipSettingsIn({ text }: ReadGoal): Readonly<Record<string, unknown>> {
  const [, format] = formatWords.exec(text) ?? []
  const loudness = loudnessWords.test(text) ? -Number(lufs.exec(text)?.[1] ?? usualLufs) : undefined
  return {
    ...(format === undefined ? {} : { format }),
    ...pictureSettingsIn(text),
    ...captionsIn(text),
    ...(loudness === undefined ? {} : { loudness }),
  }
}

/** The settings of a chain's steps that the goal states: the words to find, those of its clips, and how much of pauses stays. */
export function stepSettingsIn(goal: ReadGoal, { steps }: Chain): StepSettings {
  const clips = clipSettingsIn(goal)
  // A chain that transcribes has captions of its own transcript.
  const own = z.object({ captions: z.object({ as: z.string() }) }).safeParse(clips).data
  const transcribes = steps.includes('audio/find-words')
  const ofClips = { ...clips, ...(transcribes ? own : {}) }
  const stated: StepSettings = {
    ...wordsIn(goal, steps),
    'video/clip-window': ofClips,
    'video/clip-near': { ...ofClips, ...(matchOf(goal, [[joinWords]]) > 0 ? { join: true } : {}) },
  }
  const isStated = ([id, settings]: [string, object]) => steps.includes(id) && Object.keys(settings).length > 0
  return Object.fromEntries(Object.entries(stated).filter(isStated))
}

/** What a chain does with the words of the goal: phrases are found, or cut, and others say how much of pauses stays. */
function wordsIn(goal: ReadGoal, steps: readonly string[]): StepSettings {
  const preset = Object.keys(pausePresets).find((name) => nameOrAdverb(name).test(goal.text))
  const pauses = preset && steps.includes('audio/detect-silence') ? { preset } : {}
  const transcribes = steps.includes('audio/find-words')
  if (steps.includes('timeline/suggest-ranges')) {
    return { 'timeline/suggest-ranges': { ...pauses, ...(transcribes ? cutsIn(goal) : {}) } }
  }
  return transcribes ? { 'audio/find-words': queriesIn(goal, true) } : {}
}

const scriptWords = /\b(script|(best|last|final|good|bad|several|multiple) takes?)\b/

/** Of several takes, those of a script stay; otherwise the phrases are cut. */
function cutsIn(goal: ReadGoal): Readonly<Record<string, unknown>> {
  const { text, phrases } = goal
  if (scriptWords.test(text)) return { keep_text: phrases.length === 0 ? placeholders.script : phrases.join(' ') }
  if (phrases.length > 0) return { remove_words: phrases }
  const namesWords = matchOf(goal, wordCutGoals) > 0 && matchOf(goal, [[fillerWords]]) === 0
  return namesWords ? { remove_words: [placeholders.cut] } : {}
}

/** `tight` and `tightly`, `gentle` and `gently`. */
function nameOrAdverb(name: string): RegExp {
  return new RegExp(`\\b(${name}(ly)?|${name.replace(/e$/, 'y')})\\b`)
}
