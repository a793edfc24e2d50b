import { z } from 'zod'
import type { Chain } from '../../src/chains/chains.ts'
import type { StepSettings } from '../../src/chains/dead-space.ts'
import { clipFormats } from '../../src/core/media.ts'
import type { ClipAspect, ClipFit } from '../../src/core/picture.ts'
import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import type { ReadGoal } from '../../src/endpoints/goals.ts'
import { pausePresets } from '../../src/endpoints/timeline-suggest-ranges/pauses.ts'
import type { WantedJob } from './tool-calls.ts'

// What a goal in words states about a request: times, and settings.

/** The parts of a job's request that the goal states. */
export function wantedBy({ id }: Endpoint, goal: ReadGoal): WantedJob {
  if (id === 'audio/find-words' || id === 'video/text-frames') return queriesIn(goal)
  if (id !== 'video/clip-window' && id !== 'video/clip-near') return {}
  const stated = clipSettingsIn(goal)
  const times = id === 'video/clip-near' ? momentIn(goal) : windowIn(goal)
  if (Object.keys(stated).length === 0) return times
  // Without a time, a moment would be missing, and all of the media is meant for a window.
  if (id === 'video/clip-near') return times.start === undefined ? {} : { ...times, settings: stated }
  const whole = Object.keys(times).length === 0 ? { start: '0' } : {}
  return { ...whole, ...times, settings: { ...times.settings, ...stated } }
}

/** The phrases that the goal quotes. */
function queriesIn({ phrases }: ReadGoal): WantedJob {
  return phrases.length === 0 ? {} : { settings: { queries: phrases } }
}

function momentIn({ times: [time] }: ReadGoal): WantedJob {
  return time === undefined ? {} : { start: time }
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

const aspects: readonly (readonly [RegExp, ClipAspect])[] = [
  [/<9x16>|\b(vertical|portrait|tiktok|reels?)\b/, '9:16'],
  [/\b(square|1:1)\b/, '1:1'],
  [/\b4:5\b/, '4:5'],
  [/\b(landscape|widescreen|16:9)\b/, '16:9'],
]
const fits: readonly (readonly [RegExp, ClipFit])[] = [
  [/\bblur/, 'blur'],
  [/\b(pad|padding|padded|bars|letterbox\w*)\b/, 'pad'],
]
const heightWords = /\b(\d{3,4})p\b/

/** The settings of the picture, which only some goals state. */
function pictureSettingsIn(text: string): Readonly<Record<string, unknown>> {
  const aspect = aspects.find(([words]) => words.test(text))?.[1]
  const fit = aspect && fits.find(([words]) => words.test(text))?.[1]
  const height = heightWords.exec(text)?.[1]
  return { ...(aspect ? { aspect } : {}), ...(fit ? { fit } : {}), ...(height ? { height: Number(height) } : {}) }
}

const captionWords = /\b(caption|subtitle)/
const sidecarWords = /\b(srt|vtt|webvtt|sidecar|separate|file)\b/
/** What to put in place of the job whose transcript makes captions. */
export const transcriptJob = '<job_id of audio/find-words>'

/** Captions of clips are mostly meant to be seen without a player's help. */
function captionsIn(text: string): Readonly<Record<string, unknown>> {
  if (!captionWords.test(text)) return {}
  return { captions: { job_id: transcriptJob, as: sidecarWords.test(text) ? 'sidecar' : 'burn' } }
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
  const ofClips = Object.keys(clips).length === 0 ? {} : { ...clips, ...(transcribes ? own : {}) }
  const stated: StepSettings = {
    ...wordsIn(goal, steps),
    ...(Object.keys(ofClips).length === 0 ? {} : { 'video/clip-window': ofClips, 'video/clip-near': ofClips }),
  }
  return Object.fromEntries(Object.entries(stated).filter(([id]) => steps.some((step) => step === id)))
}

/** What a chain does with the words of the goal: phrases are found, or cut, and others say how much of pauses stays. */
function wordsIn(goal: ReadGoal, steps: readonly string[]): StepSettings {
  const preset = Object.keys(pausePresets).find((name) => nameOrAdverb(name).test(goal.text))
  if (steps.includes('audio/detect-silence')) return preset ? { 'timeline/suggest-ranges': { preset } } : {}
  if (goal.phrases.length === 0) return {}
  return steps.includes('timeline/suggest-ranges')
    ? { 'timeline/suggest-ranges': { remove_words: goal.phrases } }
    : { 'audio/find-words': { queries: goal.phrases } }
}

/** `tight` and `tightly`, `gentle` and `gently`. */
function nameOrAdverb(name: string): RegExp {
  return new RegExp(`\\b(${name}(ly)?|${name.replace(/e$/, 'y')})\\b`)
}
