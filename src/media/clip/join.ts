import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runAllOrAbort } from '../../core/abortable.ts'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import type { Segment } from '../../core/segments.ts'
import { readFrames } from '../inspect/frame-window.ts'
import type { SourceVideo } from '../inspect/tracks.ts'
import { type ClipInput, chooseClipTracks, emptyClipError } from './clip-tracks.ts'
import { type Clip, readFinishedClip } from './finished-clip.ts'
import { muxOptions, pieceList } from './join-arguments.ts'
import { joinAudio } from './join-audio.ts'
import { describeJoin, type JoinPlan, planJoin } from './join-plan.ts'
import { type PieceStore, renderPieces } from './render-pieces.ts'

export interface JoinInput extends ClipInput {
  /** Ascending and separate, on the clock where the media starts at 0. */
  readonly ranges: readonly Segment[]
  /** Video is rendered in pieces of this length. */
  readonly pieceSeconds?: number
  /** Pieces that are rendered simultaneously. */
  readonly concurrency?: number
  readonly store?: PieceStore | undefined
}

/** Long enough that joints cost nothing, short enough that a lost worker loses little. */
export const maxPieceSeconds = 180

/**
 * Encodes the ranges into one file, exact to the frame: cuts are at frames, the length is off by less than a frame in total,
 * and the audio is exactly as long as the video.
 */
export async function joinRanges(input: JoinInput): Promise<Clip> {
  const { tracks, format, outputPath, ffmpeg, signal } = input
  const plan = await readPlan(input)
  const folder = path.dirname(outputPath)
  const length = plan.lengthTicks * plan.grid.secondsPerTick
  const progress = (seconds: number) => input.onProgress(Math.min(seconds / length, 1))
  const { video } = plan
  const isOneAudioTrack = !video && plan.audio.length === 1
  const audioFiles = plan.audio.map((track, index) => ({
    track,
    file: isOneAudioTrack ? outputPath : path.join(folder, `audio-${index}.${format}`),
  }))
  const pieces = path.join(folder, 'pieces.txt')
  const errorCounts = await runAllOrAbort(signal, [
    ...(video
      ? [(either: AbortSignal) => renderVideo({ ...input, signal: either }, plan, video, pieces, progress)]
      : []),
    ...audioFiles.map(
      ({ track, file }) =>
        (either: AbortSignal) =>
          joinAudio({
            tracks,
            plan,
            track,
            outputPath: file,
            ffmpeg,
            signal: either,
            onProgress: video ? () => {} : progress,
          }),
    ),
  ])
  const decodeErrors = errorCounts.reduce((sum, each) => sum + each, 0)
  if (!isOneAudioTrack) {
    const files = audioFiles.map(({ file }): FfmpegInput => ({ path: file, format }))
    await mux(input, plan, video ? [{ path: pieces, format: 'pieces' }, ...files] : files)
  }
  return readFinishedClip(
    { path: outputPath, format },
    { tracks, plan: describeJoin(plan), decodeErrors, ffmpeg, signal },
  )
}

async function readPlan({ tracks, ranges, format, audioOnly, quality, fadeSeconds, ...input }: JoinInput) {
  const window = { start: ranges[0]?.start ?? 0, end: ranges.at(-1)?.end ?? 0 }
  const chosen = chooseClipTracks(tracks, { window, format, audioOnly })
  const frames = chosen.video ? await readFrames(tracks, chosen.video, window, input.ffmpeg, input.signal) : []
  const plan = planJoin(tracks, { ...chosen, ranges, frames, format, quality, fadeSeconds })
  const video = plan.ranges.some((range) => range.frames > 0) ? plan.video : null
  if (plan.ranges.length === 0 || (!video && plan.audio.length === 0))
    throw emptyClipError(tracks, chosen.video !== null)
  return { ...plan, video }
}

/** Returns the number of decoding errors. */
async function renderVideo(
  { tracks, outputPath, ffmpeg, signal, pieceSeconds = maxPieceSeconds, concurrency = 1, store }: JoinInput,
  plan: JoinPlan,
  video: SourceVideo,
  listPath: string,
  onProgress: (seconds: number) => void,
): Promise<number> {
  const folder = path.dirname(outputPath)
  const { pieces, decodeErrors } = await renderPieces({
    ...{ tracks, plan, video, folder, pieceSeconds, concurrency, store, ffmpeg, signal, onProgress },
  })
  await writeFile(listPath, pieceList(pieces, plan.grid.secondsPerTick))
  return decodeErrors
}

async function mux(
  { outputPath, ffmpeg, signal }: JoinInput,
  plan: JoinPlan,
  [input, ...moreInputs]: readonly (FfmpegInput | { readonly path: string; readonly format: 'pieces' })[],
): Promise<void> {
  if (!input) return
  await ffmpeg.run({
    ...{ input, moreInputs, signal, deadlineSeconds: 600 },
    inputOptions: ['-copyts'],
    outputOptions: muxOptions(plan),
    output: outputPath,
  })
}
