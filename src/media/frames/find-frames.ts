import { rm } from 'node:fs/promises'
import path from 'node:path'
import { mapOrAbort } from '../../core/abortable.ts'
import type { Ffmpeg, FfmpegOutcome } from '../../core/ffmpeg.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { maxFilmFrameSeconds } from '../../core/snap-ranges.ts'
import type { Models } from '../../models/models.ts'
import { seekBefore, seekOptions } from '../inspect/frame-window.ts'
import type { Tracks } from '../inspect/tracks.ts'
import { toneMapFilters } from '../inspect/video-track.ts'
import type { Cores } from '../sound/decode-audio.ts'
import type { AnalysisTools, TrackAnalyses } from '../track-analyses.ts'
import { candidatesIn, type FoundFrame, type FoundFrames, rankFrames } from './choose-frames.ts'
import { differenceOf, type Fingerprint, fingerprintOf, measurePicture, type PictureMeasures } from './frame-quality.ts'
import {
  assertShortLeads,
  type FrameSource,
  frameParser,
  frameRoundingSeconds,
  lastBeginning,
  lookingDeadline,
  measuredPixels,
  openFrames,
  type SampledFrame,
  sampleFrames,
  timedFrameOptions,
} from './sample-frames.ts'

interface FindFramesInput extends FrameSource {
  /** On the clock where the media starts at 0. */
  readonly window: Segment
  readonly models: Models
  readonly cores: Cores
  /** For pictures, which are deleted. */
  readonly workDir: string
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

const scannedPixels = 160 * 90
/** Longer windows are not decoded whole: their keyframes say where to look. */
const longSeconds = 60
/** Keyframes that are further apart on average miss shots. By default, x264 places them at cuts, and 10.4 seconds apart. */
const maxKeyframeGapSeconds = 11
const maxScanned = 600
const maxSampled = 240
const minSampleSeconds = 0.25
const stretchSeconds = 1
const stretchFrames = 9
/** The share of the work that comes before the candidates are looked at closely. */
const scanShare = 0.4

interface FrameTools extends AnalysisTools {
  readonly workDir: string
}

/** Found on request. */
export function madeFoundFrames({ media, ...tools }: FrameTools): TrackAnalyses<FoundFrames> {
  return {
    get: async ({ window, onProgress }) => {
      const source = await openFrames({ media, ...tools })
      return { value: await findFrames({ ...tools, ...source, window, onProgress }), analysis: 'computed' }
    },
  }
}

/** Finds the most promising frames of a window: where the picture is still, sharp and well exposed, in each of its shots. */
async function findFrames(input: FindFramesInput): Promise<FoundFrames> {
  const { window, models, workDir, onProgress } = input
  const folder = path.join(workDir, 'frames')
  try {
    const scanned = durationOf(window) > longSeconds ? await scanKeyframes(input, folder) : undefined
    const { seen, shots } = scanned
      ? { seen: await lookAround(input, scanned, folder), shots: shotsOf(scanned, window) }
      : await sampleAll(input, folder)
    const frames: FoundFrame[] = []
    for (const { frame, seconds, measures, fingerprint, motion } of candidatesIn(seen, window)) {
      const faces = await models.run('find-faces', await frame.read())
      const shot = shotAt(shots, seconds)
      frames.push({ seconds, shot, measures: { ...measures }, motion, fingerprint: [...fingerprint], faces })
    }
    onProgress(1)
    return { start: window.start, end: window.end, frames }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The keyframes of the window, small. Undefined if they are too far apart. */
async function scanKeyframes(input: FindFramesInput, folder: string): Promise<SeenFrame[] | undefined> {
  const { window, onProgress, signal } = input
  const frames = await sampleFrames(input, {
    ...{ window, keyframesOnly: true, maxFrames: maxScanned, maxPixels: scannedPixels },
    everySeconds: durationOf(window) / maxScanned,
    folder: path.join(folder, 'keyframes'),
    onProgress: (fraction) => onProgress(fraction * scanShare),
  })
  if (frames.length * maxKeyframeGapSeconds < durationOf(window)) return undefined
  return lookAtFrames(frames, signal)
}

/** Frames of the whole window at the measured size. */
async function sampleAll(input: FindFramesInput, folder: string) {
  const { window, onProgress, signal } = input
  await assertShortLeads(input, { moments: [window.start], billedSeconds: durationOf(window) })
  const sample = (within: Segment, name: string) =>
    sampleFrames(input, {
      ...{ window: within, maxFrames: maxSampled, maxPixels: measuredPixels },
      everySeconds: Math.max(minSampleSeconds, durationOf(window) / maxSampled),
      folder: path.join(folder, name),
      onProgress: (fraction) => onProgress(fraction * (1 - scanShare)),
    })
  const within = await sample(window, 'all')
  // A slide from before is still shown.
  const isHeld = (within[0]?.seconds ?? window.end) - window.start > maxFilmFrameSeconds
  const shown = isHeld ? await lastBeginning(input, window.start) : undefined
  const around =
    shown === undefined ? undefined : { start: shown - frameRoundingSeconds, end: shown + frameRoundingSeconds }
  const frames = around ? [...(await sample(around, 'shown')), ...within] : within
  const seen = await lookAtFrames(frames, signal)
  return { seen, shots: shotsOf(seen, window) }
}

/** For each promising keyframe, the best frame of the second that it begins. */
async function lookAround(
  input: FindFramesInput,
  keyframes: readonly SeenFrame[],
  folder: string,
): Promise<SeenFrame[]> {
  const { window, cores, onProgress, signal } = input
  const items = candidatesIn(keyframes, window)
  let done = 0
  const lookAt = async ({ seconds }: SeenFrame, index: number, aborted: AbortSignal) => {
    const stretch = { start: seconds - 0.005, end: Math.min(window.end, seconds + stretchSeconds) }
    const frames = await sampleFrames(
      { ...input, signal: aborted },
      {
        ...{ window: stretch, isFromKeyframe: true, maxFrames: stretchFrames, maxPixels: measuredPixels },
        everySeconds: stretchSeconds / stretchFrames,
        folder: path.join(folder, String(index)),
      },
    )
    const [best] = rankFrames(await lookAtFrames(frames, aborted))
    done += 1
    onProgress(scanShare + ((1 - scanShare) * done) / items.length)
    return best
  }
  const found = await cores.borrow(items.length - 1, (borrowed) =>
    mapOrAbort(signal, { items, concurrency: borrowed + 1 }, lookAt),
  )
  return found.flatMap((each) => each ?? [])
}

/** A sampled frame, measured and compared with those beside it. */
export interface SeenFrame {
  readonly frame: SampledFrame
  readonly seconds: number
  readonly measures: PictureMeasures
  readonly fingerprint: Fingerprint
  readonly motion: number
}

/** Frames further apart say nothing about motion. */
const maxStepSeconds = 0.6

/** Measures frames, given in order, one after another. */
async function lookAtFrames(frames: readonly SampledFrame[], signal: AbortSignal): Promise<SeenFrame[]> {
  const seen: Omit<SeenFrame, 'motion'>[] = []
  for (const frame of frames) {
    signal.throwIfAborted()
    const picture = await frame.read()
    const { seconds } = frame
    seen.push({ frame, seconds, measures: measurePicture(picture), fingerprint: fingerprintOf(picture) })
  }
  return seen.map((each, index) => ({ ...each, motion: motionOf(each, [seen[index - 1], seen[index + 1]]) }))
}

/** The smaller difference, so that a cut beside a frame is no motion. */
function motionOf(
  { seconds, fingerprint }: Omit<SeenFrame, 'motion'>,
  others: readonly (Omit<SeenFrame, 'motion'> | undefined)[],
): number {
  const steps = others.flatMap((other) =>
    other && Math.abs(other.seconds - seconds) <= maxStepSeconds ? [differenceOf(fingerprint, other.fingerprint)] : [],
  )
  return steps.length > 0 ? Math.min(...steps) : 0
}

/** Pictures that differ more belong to two shots. Motion within a shot seldom reaches it. */
export const cutDifference = 20

/** The shots of frames in order: each ends where the picture is another. The last ends with the window. */
function shotsOf(seen: readonly SeenFrame[], window: Segment): Segment[] {
  const cuts = seen.flatMap(({ seconds, fingerprint }, index) => {
    const before = seen[index - 1]
    return before && differenceOf(before.fingerprint, fingerprint) > cutDifference ? [seconds] : []
  })
  const starts = [window.start, ...cuts]
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? window.end }))
}

/** The shot of a moment. */
function shotAt(shots: readonly Segment[], seconds: number): Segment {
  return shots.findLast(({ start }) => start <= seconds) ?? shots[0] ?? { start: seconds, end: seconds }
}

/** A picture of a film, from when it is shown. */
export interface ShownFrame {
  /** On the media's clock. */
  readonly seconds: number
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array<ArrayBuffer>
}

interface DecodeChanges {
  readonly tracks: Tracks & { readonly video: NonNullable<Tracks['video']> }
  readonly window: Segment
  readonly longestSide: number
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** Decoding waits for its promise. */
  readonly onFrame: (frame: ShownFrame) => Promise<void>
}

/** The film is looked at this often: what changes is known to the quarter of a second. */
export const sampleSeconds = 0.25

/**
 * A picture counts as changed when a block of 8 × 8 pixels differs by 5 levels a pixel on average, or one in twenty blocks by 2.
 * Compression changes still pictures by less; faint letters change them by more.
 */
const changes = 'mpdecimate=hi=320:lo=128:frac=0.05'

/** Sides are multiples of this, as models for pictures want them. */
const sideStep = 32

/** Decodes the pictures of a window that differ from the one before, a few a second at most. The first one is what is shown at its start. */
export async function decodeChanges({ tracks, window, onFrame, ...job }: DecodeChanges): Promise<FfmpegOutcome> {
  const { input, originSeconds, video } = tracks
  const size = sampledSize(video, job.longestSide)
  const end = window.end + originSeconds
  const parse = frameParser(size.width * size.height * 3)
  /** What the seek finds before the window; the last of it is still shown when the window starts. */
  let before: ShownFrame | undefined
  const take = async (frame: ShownFrame) => {
    if (frame.seconds <= window.start) {
      before = { ...frame, seconds: window.start }
      return
    }
    if (before) await onFrame(before)
    before = undefined
    if (frame.seconds < window.end) await onFrame(frame)
  }
  const outcome = await job.ffmpeg.run({
    ...{ input, signal: job.signal, deadlineSeconds: lookingDeadline(window) },
    inputOptions: seekOptions(seekBefore(window.start)),
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-an', '-sn', '-dn'],
      '-filter:v',
      [
        `trim=end=${end.toFixed(6)}`,
        // Each sample is the frame that is shown then.
        `fps=${1 / sampleSeconds}:round=up`,
        ...[
          `scale=${size.width}:${size.height}`,
          ...toneMapFilters(video.colour),
          'format=yuv420p',
          changes,
          'format=rgb24',
        ],
      ].join(','),
      ...['-fps_mode', 'passthrough', '-c:v', 'rawvideo', ...timedFrameOptions],
    ],
    output: async (chunk) => {
      for (const { seconds, bytes } of parse(chunk))
        await take({ ...size, seconds: seconds - originSeconds, rgb: bytes })
    },
    pixels: video.width * video.height,
  })
  if (before) await onFrame(before)
  return outcome
}

/** Smaller pictures keep their size, rounded. */
function sampledSize({ width, height }: { readonly width: number; readonly height: number }, longestSide: number) {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  const stepped = (side: number) => Math.max(sideStep, Math.round((side * scale) / sideStep) * sideStep)
  return { width: stepped(width), height: stepped(height) }
}
