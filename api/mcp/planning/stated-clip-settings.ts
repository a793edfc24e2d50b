import { clipFormats } from '../../../src/core/media.ts'
import type { ClipFit } from '../../../src/core/picture.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { aspectIn } from '../../../src/goals/shapes.ts'
import { placeholders } from './placeholders.ts'

// The settings that a goal in words states about the file of a clip.

type Settings = Readonly<Record<string, unknown>>

const formatWords = new RegExp(
  `\\b(?:an?|as|to|into|in|save|want|\\d+|seconds)\\s+(?:an?\\s+)?\\.?(${clipFormats.join('|')})s?\\b`,
)
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
