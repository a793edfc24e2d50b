import type { CaptionStyle } from '../../../src/core/captions.ts'
import type { ClipFit } from '../../../src/core/picture.ts'
import { formatIn } from '../../../src/goals/formats.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import { loudnessChangeIn, loudnessIn, namesLoudnessStandard } from '../../../src/goals/loudness.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { aspectIn, heightIn } from '../../../src/goals/shapes.ts'
import { soundGoals } from '../../../src/goals/words.ts'
import { placeholders } from './placeholders.ts'
import { modeIn } from './stated-mode.ts'

// The settings that a goal in words states about the file of a clip.

type Settings = Readonly<Record<string, unknown>>

const normalizes = /\b(normali[sz]|loudness|lufs)/
/** The first whose words the goal has; without any, what podcasts have. */
const usualLufs: readonly (readonly [RegExp, number])[] = [
  [/\b(broadcast|television|tv)\b/, -23],
  [/\b(youtube|spotify|video sites?)\b/, -14],
  [/(?:)/, -16],
]

function usualLoudness(text: string): number | undefined {
  return usualLufs.find(([words]) => words.test(text))?.[1]
}

export function clipSettingsIn(goal: ReadGoal): Settings {
  const { text, words } = goal
  const format = formatOf(goal)
  const isSmaller = words.includes(' <smaller> ')
  const loudness = loudnessOf(text)
  const settings = {
    ...(format === undefined ? {} : { format }),
    ...(isSmaller ? smallerFile(text) : {}),
    ...pictureSettingsIn(text),
    ...captionsIn(text),
    ...(loudness === undefined ? {} : { loudness }),
  }
  return { ...settings, ...modeIn(goal, settings) }
}

function formatOf(goal: ReadGoal): string | undefined {
  const named = formatIn(goal.text) ?? (matchOf(goal, soundGoals) > 0 ? 'm4a' : undefined)
  const isOpen = /\b(?:change|convert|transcode)\b[^.,;]{0,40}\bformat\b/.test(goal.text) && !aspectIn(goal.text)
  return named ?? (isOpen ? placeholders.format : undefined)
}

/** A choice that the user can change. Sound has no height. */
function smallerFile(text: string): Settings {
  const isSound = /\b(?:mp3|wav|m4a|aac|flac|audio|podcast)s?\b/.test(text) && !/\b(?:videos?|films?|mp4)\b/.test(text)
  return { ...(isSound ? {} : { height: placeholders.height }), quality: 'fast' }
}

/** How much quieter a file gets depends on its loudness, which only the user knows. */
function loudnessOf(text: string): number | string | undefined {
  const stated = loudnessIn(text)
  if (stated !== undefined) return stated
  const change = loudnessChangeIn(text)
  if (change === 'quieter') return placeholders.loudness
  return change === 'louder' || normalizes.test(text) || namesLoudnessStandard(text) ? usualLoudness(text) : undefined
}

/** How a picture gets the size that the goal states. */
export function notesOnSize({ words }: ReadGoal, given: unknown): string[] {
  return words.includes(' <size> ') && JSON.stringify(given).includes('"height"')
    ? ['A picture of another shape is cropped, or padded with settings.fit. A smaller picture is not enlarged.']
    : []
}

/** That the size of a file follows from its settings. */
export function notesOnFileSize({ words }: ReadGoal, given: unknown): string[] {
  if (!words.includes(' <smaller> ')) return []
  const how = JSON.stringify(given).includes('"height"')
    ? 'A lower settings.height and "quality": "fast" make it smaller; "quality": "high" keeps more of the picture.'
    : 'A lower settings.height and "quality": "fast" of a clip make its file smaller.'
  return [`No setting chooses the size of a file in bytes. ${how}`]
}

/** That the goal states no loudness, where the plan sets one. */
export function notesOnLoudness({ text }: ReadGoal, given: unknown): string[] {
  if (loudnessIn(text) !== undefined || !JSON.stringify(given).includes('"loudness":-')) return []
  return [
    'The goal states no loudness: -16 LUFS is usual for podcasts, -14 for video sites, and -23 for broadcast. Media that is louder than settings.loudness gets quieter.',
  ]
}

const fits: readonly (readonly [RegExp, ClipFit])[] = [
  [/\bblur/, 'blur'],
  [/\b(pad|padding|padded|bars|letterbox\w*)\b/, 'pad'],
]

const resizes = /\b(?:resiz\w*|downscal\w*|(?:lower|reduce|change) the (?:resolution|size))\b/

/** The settings of the picture, which only some goals state. */
function pictureSettingsIn(text: string): Settings {
  const aspect = aspectIn(text)
  const fit = aspect && fits.find(([words]) => words.test(text))?.[1]
  const height = heightIn(text) ?? (!aspect && resizes.test(text) ? placeholders.height : undefined)
  return { ...(aspect ? { aspect } : {}), ...(fit ? { fit } : {}), ...(height ? { height } : {}) }
}

const captionWords = /<captioned>|\b(caption|subtitle)/
const burnWords = /\b(burn|hard-?cod)/
const sidecarWords = /\b(srt|vtt|webvtt|sidecar|separate|file)\b/

const styles: readonly (readonly [RegExp, CaptionStyle])[] = [
  [
    /\b(big|bigger|large|larger|huge)\b.{0,30}\b(caption|subtitle)|\b(caption|subtitle)s\b.{0,20}\b(big|bigger|large|larger|huge)\b/,
    'large',
  ],
  [/\bboxed\b/, 'boxed'],
]

const noCaptions = /\b(?:without|no|not|never|don['’]t)\b (?:[a-z]+ ){0,2}?(?:caption|subtitle)s?/g

/** Captions of clips are mostly meant to be seen without a player's help. */
function captionsIn(text: string): Settings {
  if (!captionWords.test(text.replaceAll(noCaptions, ' '))) return {}
  const as = sidecarWords.test(text) && !burnWords.test(text) ? 'sidecar' : 'burn'
  const style = as === 'burn' ? styles.find(([words]) => words.test(text))?.[1] : undefined
  return { captions: { job_id: placeholders.transcriptJob, as, ...(style ? { style } : {}) } }
}
