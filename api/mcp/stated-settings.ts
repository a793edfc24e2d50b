import type { Chain } from '../../src/chains/chains.ts'
import type { StepSettings } from '../../src/chains/dead-space.ts'
import { clipFormats } from '../../src/core/media.ts'
import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import type { ReadGoal } from '../../src/endpoints/goals.ts'
import { pausePresets } from '../../src/endpoints/timeline-suggest-ranges/pauses.ts'
import type { WantedJob } from './tool-calls.ts'

// What a goal in words states about a request: times, and settings.

/** The parts of a job's request that the goal states. */
export function wantedBy({ id }: Endpoint, goal: ReadGoal): WantedJob {
  if (id !== 'video/clip-window' && id !== 'video/clip-near') return {}
  const stated = clipSettingsIn(goal)
  const times = id === 'video/clip-near' ? momentIn(goal) : windowIn(goal)
  if (Object.keys(stated).length === 0) return times
  // Without a time, a moment would be missing, and all of the media is meant for a window.
  if (id === 'video/clip-near') return times.start === undefined ? {} : { ...times, settings: stated }
  const whole = Object.keys(times).length === 0 ? { start: '0' } : {}
  return { ...whole, ...times, settings: { ...times.settings, ...stated } }
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

function clipSettingsIn({ text }: ReadGoal): Readonly<Record<string, unknown>> {
  const [, format] = formatWords.exec(text) ?? []
  const loudness = loudnessWords.test(text) ? -Number(lufs.exec(text)?.[1] ?? usualLufs) : undefined
  return { ...(format === undefined ? {} : { format }), ...(loudness === undefined ? {} : { loudness }) }
}

/** The settings of a chain's steps that the goal states: those of its clips, and how much of pauses stays. */
export function stepSettingsIn(goal: ReadGoal, { steps }: Chain): StepSettings {
  const clips = clipSettingsIn(goal)
  const hasPauses = steps.includes('audio/detect-silence')
  const preset = hasPauses ? Object.keys(pausePresets).find((name) => nameOrAdverb(name).test(goal.text)) : undefined
  const stated: StepSettings = {
    ...(preset === undefined ? {} : { 'timeline/suggest-ranges': { preset } }),
    ...(Object.keys(clips).length === 0 ? {} : { 'video/clip-window': clips }),
  }
  return Object.fromEntries(Object.entries(stated).filter(([id]) => steps.some((step) => step === id)))
}

/** `tight` and `tightly`, `gentle` and `gently`. */
function nameOrAdverb(name: string): RegExp {
  return new RegExp(`\\b(${name}(ly)?|${name.replace(/e$/, 'y')})\\b`)
}
