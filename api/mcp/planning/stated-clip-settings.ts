import type { CaptionStyle } from '../../../src/core/captions.ts'
import { clipFormats } from '../../../src/core/media.ts'
import type { ClipFit } from '../../../src/core/picture.ts'
import { loudnessIn } from '../../../src/goals/loudness.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { aspectIn } from '../../../src/goals/shapes.ts'
import { placeholders } from './placeholders.ts'

// The settings that a goal in words states about the file of a clip.

type Settings = Readonly<Record<string, unknown>>

const formatName = `\\.?(${clipFormats.join('|')})s?\\b`
/** In order: "convert an mp3 to wav" names the source first. */
const formatWords = [
  new RegExp(`\\b(?:as|to|into|in)\\s+(?:an?\\s+)?${formatName}`),
  new RegExp(
    `(?:(?:^|,)\\s*|\\b(?:an?|save|want|need|give|me|us|it|them|make|get|export|output|and|\\d+|seconds)\\s+(?:an?\\s+)?)${formatName}`,
  ),
]
const loudnessWords = /\b(normali[sz]|loudness|louder|lufs)/
/** What podcasts have. */
const usualLufs = -16

export function clipSettingsIn({ text }: ReadGoal): Settings {
  const format = formatWords.flatMap((words) => words.exec(text)?.[1] ?? [])[0]
  const loudness = loudnessIn(text) ?? (loudnessWords.test(text) ? usualLufs : undefined)
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

const styles: readonly (readonly [RegExp, CaptionStyle])[] = [
  [
    /\b(big|bigger|large|larger|huge)\b.{0,30}\b(caption|subtitle)|\b(caption|subtitle)s\b.{0,20}\b(big|bigger|large|larger|huge)\b/,
    'large',
  ],
  [/\bboxed\b/, 'boxed'],
]

/** Captions of clips are mostly meant to be seen without a player's help. */
function captionsIn(text: string): Settings {
  if (!captionWords.test(text)) return {}
  const as = sidecarWords.test(text) && !burnWords.test(text) ? 'sidecar' : 'burn'
  const style = as === 'burn' ? styles.find(([words]) => words.test(text))?.[1] : undefined
  return { captions: { job_id: placeholders.transcriptJob, as, ...(style ? { style } : {}) } }
}
