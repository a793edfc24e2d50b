import { rm } from 'node:fs/promises'
import path from 'node:path'
import { mapOrAbort } from '../../core/abortable.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import type { Models } from '../../models/models.ts'
import type { AnalysisTools, TrackAnalyses } from '../analyses/track-analyses.ts'
import type { Cores } from '../sound/cores.ts'
import type { FoundFrame, FoundFrames } from './found-frame.ts'
import { candidatesIn, rankFrames } from './frame-candidates.ts'
import { assertShortLeads } from './lead-limit.ts'
import { lookAtFrames, type SeenFrame, shotAt, shotsOf } from './look-at-frames.ts'
import { type FrameSource, measuredPixels, openFrames, sampleFrames } from './sample-frames.ts'

export interface FindFramesInput extends FrameSource {
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
  const frames = await sampleFrames(input, {
    ...{ window, maxFrames: maxSampled, maxPixels: measuredPixels },
    everySeconds: Math.max(minSampleSeconds, durationOf(window) / maxSampled),
    folder: path.join(folder, 'all'),
    onProgress: (fraction) => onProgress(fraction * (1 - scanShare)),
  })
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
