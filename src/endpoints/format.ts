import path from 'node:path'
import { invalidRequest } from '../core/errors.ts'
import { type AudioTrack, previewContentType } from '../core/media.ts'
import { durationOf, maxResultSegments, type Segment, totalDuration } from '../core/segments.ts'
import { quoted } from '../core/text.ts'
import { roundToMillisecond } from '../core/time-code.ts'
import type { FrameFlaw, FrameQuality, ThumbnailQuality } from '../media/frames/frame-quality.ts'
import type { Envelope } from '../media/sound/envelope.ts'
import type { Face } from '../models/models.ts'
import type { MediaNames, OutputFile } from './run-contract.ts'

/** A level or a score, rounded as in results. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100
}

/** A segment as in results. The duration is computed from the rounded times, so that the three agree. */
export function presentSegment(segment: Segment): { start: number; end: number; duration: number } {
  const start = roundToMillisecond(segment.start)
  const end = roundToMillisecond(segment.end)
  return { start, end, duration: roundToMillisecond(end - start) }
}

export function presentFace({ x, y, width, height, score }: Face): Face {
  return {
    x: toThousandths(x),
    y: toThousandths(y),
    width: toThousandths(width),
    height: toThousandths(height),
    score: toHundredths(score),
  }
}

export function toThousandths(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** The measures that all scored frames have. */
export function presentMeasures({ faces, sharpness, exposure, contrast, colour }: Omit<FrameQuality, 'stillness'>) {
  return {
    faces: toHundredths(faces),
    sharpness: toHundredths(sharpness),
    exposure: toHundredths(exposure),
    contrast: toHundredths(contrast),
    colour: toHundredths(colour),
  }
}

export function assertSegmentCount(count: number, advice: string): void {
  if (count <= maxResultSegments) return
  throw invalidRequest(`The result has more than ${maxResultSegments} segments. ${advice}, or choose a shorter window.`)
}

export function totalSeconds(segments: readonly Segment[]): number {
  return roundToMillisecond(totalDuration(segments))
}

/** The path for a run's preview. */
export function previewPath(workDir: string): string {
  return path.join(workDir, 'preview.svg')
}

/** The preview as an output file. */
export function presentPreview(workDir: string): OutputFile {
  const filePath = previewPath(workDir)
  return {
    path: filePath,
    fileName: path.basename(filePath),
    contentType: previewContentType,
    role: 'preview',
    durationSeconds: 0,
    width: null,
    height: null,
  }
}

/** A warning for jobs on media whose sound is damaged. */
export function warnOfDamage(tracks: readonly Pick<Envelope, 'decodeErrors'>[]): string[] {
  const isDamaged = tracks.some(({ decodeErrors }) => decodeErrors > 0)
  return isDamaged ? ['The media is damaged: where its sound could not be decoded, the result can be wrong.'] : []
}

/** Sound often ends a little before the picture. */
const minMissingSeconds = 5
const minMissingShare = 0.01

/** A warning for searches of a window that goes on after the end of all searched tracks. */
export function warnOfShortSound(tracks: readonly Pick<AudioTrack, 'endSeconds'>[], window: Segment): string[] {
  const end = Math.max(...tracks.map(({ endSeconds = window.end }) => endSeconds))
  const missing = { start: Math.max(window.start, end), end: window.end }
  if (durationOf(missing) <= Math.max(minMissingSeconds, minMissingShare * durationOf(window))) return []
  const [ends, from, to] = [end, missing.start, missing.end].map(roundToMillisecond)
  return [
    `The searched sound ends at ${ends} s. From ${from} to ${to} s the media has no sound to search, which counts as silence.`,
  ]
}

/** About a result that models made of all channels of a track. */
export function warnOfListening(
  heard: Pick<Envelope, 'decodeErrors'> & { readonly hasOpposedChannels: boolean },
  track: Pick<AudioTrack, 'endSeconds'>,
  window: Segment,
): string[] {
  const warnings = [...warnOfDamage([heard]), ...warnOfShortSound([track], window)]
  if (!heard.hasOpposedChannels) return warnings
  return [
    ...warnings,
    'Channels of the sound cancel each other when they are added: one is probably inverted. They were mixed with their phases shifted, so that all of them were heard. A mono player can lose this sound.',
  ]
}

/** Of what a job took from an earlier one. */
export function warnOfOtherMedia(taken: string, other: MediaNames | undefined, made: string): string[] {
  if (!other) return []
  const { earlier, own } = other
  return [
    `The ${taken} come from ${quoted(earlier)}, and the ${made} from ${quoted(own)}. Check that both are the same recording.`,
  ]
}

/** The shares from which something is good, and below which it is poor. */
const [good, poor] = [0.75, 0.4]

type MeasureName = keyof FrameQuality | keyof ThumbnailQuality

const words: Readonly<Record<MeasureName, readonly [ifGood: string, ifPoor: string | undefined]>> = {
  faces: ['a clear face, wholly in the frame', undefined],
  sharpness: ['sharp', 'not quite sharp'],
  exposure: ['well exposed', 'too dark or too bright in parts'],
  contrast: ['rich in contrast', 'low in contrast'],
  colour: ['colourful', 'hardly any colour'],
  stillness: ['still', 'in motion'],
  legibility: ['clear when small', 'hard to recognize when small'],
}

const flaws: Readonly<Record<FrameFlaw, string>> = {
  dark: 'nearly black',
  bright: 'nearly white',
  empty: 'blank',
  noise: 'noise',
  blurred: 'blurred',
}

/** In words, what is good about a frame and what is not. */
export function reasonsFor(quality: Readonly<Partial<Record<MeasureName, number>>>, flaw?: FrameFlaw): string[] {
  if (flaw) return [flaws[flaw]]
  const names = Object.keys(words).filter((name): name is MeasureName => Object.hasOwn(words, name))
  return names.flatMap((name) => {
    const share = quality[name] ?? poor
    const [ifGood, ifPoor] = words[name]
    if (share >= good) return [ifGood]
    return share < poor && ifPoor ? [ifPoor] : []
  })
}
