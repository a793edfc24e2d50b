import { z } from 'zod'
import type { Segment } from '../../core/segments.ts'
import type { EarlierWord } from '../define-timeline-endpoint.ts'
import { seconds } from '../fields.ts'

/**
 * How much of the pauses in speech stays. In each preset, the minimum for finding pauses is below the maximum that stays,
 * because pauses between the two would otherwise be neither found nor shortened.
 */
export const pausePresets = {
  gentle: { minSilenceSeconds: 0.8, marginSeconds: 0.3, maxPauseSeconds: 1 },
  normal: { minSilenceSeconds: 0.5, marginSeconds: 0.2, maxPauseSeconds: 0.6 },
  tight: { minSilenceSeconds: 0.25, marginSeconds: 0.1, maxPauseSeconds: 0.3 },
} as const

const described = Object.entries(pausePresets).map(
  ([name, { minSilenceSeconds, marginSeconds, maxPauseSeconds }]) =>
    `${name}: pauses from ${minSilenceSeconds} s on, margin ${marginSeconds}, max pause ${maxPauseSeconds}`,
)

/** A shorter cut can be heard, and saves nothing. */
const shortestUsefulCutSeconds = 0.1
const defaultPaddingSeconds = 0.2
const defaultMinCutSeconds = 0.2

const padding = seconds.max(60)

/** The settings that say how much of a pause stays. */
export const pauseSettings = {
  preset: z
    .enum(['gentle', 'normal', 'tight'])
    .optional()
    .describe(
      `Sets margin_seconds and max_pause_seconds, and in the chain remove-dead-space min_silence_seconds of audio/detect-silence. ${described.join('; ')}. Settings that you send win.`,
    ),
  max_pause_seconds: padding
    .optional()
    .describe(
      'Shortens longer pauses to this instead of removing them: half of it stays on each side of the cut. Below 0.1, the chain remove-dead-space also shortens short stops within words.',
    ),
  margin_seconds: padding
    .optional()
    .describe(
      'The silence that stays on each side of a sound: the same as padding_seconds with one number. With max_pause_seconds, it applies only before the first sound and after the last; its default is half of max_pause_seconds.',
    ),
  padding_seconds: z
    .union([padding, z.object({ before: padding, after: padding })])
    .optional()
    .describe(
      'Extends every range on both sides, or by before and after separately. 0.2 without preset, max_pause_seconds and margin_seconds.',
    ),
  min_cut_seconds: seconds
    .optional()
    .describe(
      `Cuts shorter than this are not made. ${defaultMinCutSeconds}, or ${shortestUsefulCutSeconds} with preset or max_pause_seconds.`,
    ),
}

type PauseSettings = z.output<z.ZodObject<typeof pauseSettings>>

interface Pauses {
  readonly padding: { readonly before: number; readonly after: number }
  /** Undefined: pauses are removed, except for the padding. */
  readonly maxPauseSeconds: number | undefined
  readonly minCutSeconds: number
}

/** Combines the settings; those that callers send win over the preset. */
export function resolvePauses(settings: PauseSettings): Pauses {
  const { preset, margin_seconds: margin, padding_seconds: padding = margin } = settings
  const base = preset && pausePresets[preset]
  // A preset gives way to a margin that needs more room.
  const maxPauseSeconds = settings.max_pause_seconds ?? (base && Math.max(base.maxPauseSeconds, 2 * (margin ?? 0)))
  const half = maxPauseSeconds === undefined ? defaultPaddingSeconds : maxPauseSeconds / 2
  const sides = padding ?? Math.min(base?.marginSeconds ?? half, half)
  return {
    padding: typeof sides === 'number' ? { before: sides, after: sides } : sides,
    maxPauseSeconds,
    minCutSeconds:
      settings.min_cut_seconds ?? (maxPauseSeconds === undefined ? defaultMinCutSeconds : shortestUsefulCutSeconds),
  }
}

/**
 * The shortest pause that must be found, so that no pause stays that is longer than the settings allow. Undefined if they set
 * no maximum.
 */
export function minSilenceFor({ preset, max_pause_seconds: maxPause }: PauseSettings): number | undefined {
  const base = preset && pausePresets[preset]
  if (maxPause === undefined) return base?.minSilenceSeconds
  return Math.max(
    shortestSilenceSeconds,
    Math.min(base?.minSilenceSeconds ?? pausePresets.normal.minSilenceSeconds, maxPause),
  )
}

/** The shortest silence that audio/detect-silence accepts as a setting. */
const shortestSilenceSeconds = 0.01

/** The times of words are off by less. */
const minGapSeconds = 0.1
/** A cut goes no further into the pause beside a word. */
const reachSeconds = 0.5

/**
 * Where a cut before or after a word can be: at a quiet moment between the word and its neighbour. Undefined if there is none. In
 * transcripts without quiet moments, the cut is in the middle of the gap.
 */
export function quietEdges(words: readonly EarlierWord[], within: Segment) {
  const gapBefore = (at: number) => ({
    start: Math.max(within.start, words[at - 1]?.end ?? within.start),
    end: Math.min(within.end, words[at]?.start ?? within.end),
  })
  return {
    before: (at: number) => {
      const gap = gapBefore(at)
      if (at === 0 && isShort(gap)) return within.start
      const middle = isShort(gap) ? undefined : Math.max((gap.start + gap.end) / 2, gap.end - reachSeconds)
      return edgeIn(gap, words[at]?.quietBefore, middle)
    },
    after: (at: number) => {
      const gap = gapBefore(at + 1)
      if (at === words.length - 1 && isShort(gap)) return within.end
      const middle = isShort(gap) ? undefined : Math.min((gap.start + gap.end) / 2, gap.start + reachSeconds)
      return edgeIn(gap, words[at]?.quietAfter, middle)
    },
  }
}

/** The quiet moment if it is in the gap; undefined where none was found. */
function edgeIn({ start, end }: Segment, moment: number | null | undefined, middle: number | undefined) {
  if (moment === undefined) return middle
  return moment !== null && moment >= start && moment <= end ? moment : undefined
}

function isShort({ start, end }: Segment): boolean {
  return end - start < minGapSeconds
}

/** A cut of more than this share of the media is more often a wrong threshold than what was meant. */
const maxRemovedShare = 0.8

interface CutLengths {
  readonly keptSeconds: number
  readonly removedSeconds: number
}

/** "95 % of the media (10.8 of 11.4 s)" if ranges leave out so much of it that callers have to agree, or undefined. */
export function describeLargeCut({ keptSeconds, removedSeconds }: CutLengths): string | undefined {
  const seconds = keptSeconds + removedSeconds
  // Lengths are whole milliseconds.
  if (removedSeconds <= maxRemovedShare * seconds + 0.0005) return undefined
  const share = Math.min(Math.floor((removedSeconds / seconds) * 100), 99)
  return `${share} % of the media (${inTenths(removedSeconds)} of ${inTenths(seconds)} s)`
}

function inTenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
