import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runAllOrAbort } from '../../core/abortable.ts'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import { type Clip, readFinishedClip } from './finished-clip.ts'
import { muxOptions, pieceList } from './join-arguments.ts'
import { joinAudio } from './join-audio.ts'
import { joinPieces } from './join-pieces.ts'
import { describeJoin, type JoinPlan } from './join-plan.ts'
import { obtainPiece, obtainPieces, type Piece } from './pieces.ts'
import { type JoinPlanInput, readJoinPlan } from './read-join-plan.ts'

export interface JoinInput extends JoinPlanInput {
  /** Pieces that are rendered simultaneously. */
  readonly concurrency?: number
}

/**
 * Encodes the ranges into one file, exact to the frame: cuts are at frames, the length is off by less than a frame in total,
 * and the audio is exactly as long as the video. Pieces that are stored are not made again.
 */
export async function joinRanges(input: JoinInput): Promise<Clip> {
  const { tracks, format, outputPath, ffmpeg, signal } = input
  const plan = await readJoinPlan(input)
  const length = plan.lengthTicks * plan.clock.secondsPerTick
  const onProgress = (seconds: number) => input.onProgress(Math.min(seconds / length, 1))
  const [track, second] = plan.audio
  const decodeErrors =
    !plan.video && track && !second
      ? await joinAudio({ tracks, plan, track, outputPath, ffmpeg, signal, onProgress })
      : await joinFromPieces(input, plan, onProgress)
  return readFinishedClip(
    { path: outputPath, format },
    { tracks, plan: describeJoin(plan), decodeErrors, ffmpeg, signal },
  )
}

/** The seconds of each piece of a long clip, in the order of `makeJoinPiece`; none if the clip is made as quickly in one run. */
export async function planJoinPieces(input: JoinPlanInput): Promise<number[]> {
  const plan = await readJoinPlan(input)
  return isLong(plan) ? allPieces(input, plan).map(({ seconds }) => seconds) : []
}

/** Makes one of the pieces that `planJoinPieces` counted, and stores it. */
export async function makeJoinPiece(input: JoinPlanInput, index: number): Promise<void> {
  const plan = await readJoinPlan(input)
  const piece = allPieces(input, plan)[index]
  if (!piece) throw new RangeError(`the clip has no piece ${index}`)
  const to = { folder: path.dirname(input.outputPath), store: input.store }
  await obtainPiece(to, piece, input.signal, (seconds) => input.onProgress(seconds / (piece.seconds || 1)))
}

/** Audio first: it takes the longest of a long film. */
function allPieces(input: JoinPlanInput, plan: JoinPlan): Piece[] {
  const { audio, video } = joinPieces(input, plan)
  return [...audio, ...video]
}

function isLong({ pieces }: JoinPlan): boolean {
  return pieces.length > 1
}

/** Returns the number of decoding errors. */
async function joinFromPieces(
  input: JoinInput,
  plan: JoinPlan,
  onProgress: (seconds: number) => void,
): Promise<number> {
  const { outputPath, format, concurrency = 1, signal } = input
  const folder = path.dirname(outputPath)
  const to = { folder, store: isLong(plan) ? input.store : undefined }
  const { audio, video } = joinPieces(input, plan)
  const isVideo = video.length > 0
  const errorCounts = await runAllOrAbort(signal, [
    ...(isVideo
      ? [(either: AbortSignal) => obtainPieces({ ...to, pieces: video, concurrency, signal: either, onProgress })]
      : []),
    ...audio.map((piece) => (either: AbortSignal) => obtainPiece(to, piece, either, isVideo ? () => {} : onProgress)),
  ])
  const list = path.join(folder, 'pieces.txt')
  if (isVideo) await writeFile(list, pieceList(video))
  const files = audio.map(({ fileName }): FfmpegInput => ({ path: path.join(folder, fileName), format }))
  await mux(input, plan, isVideo ? [{ path: list, format: 'pieces' }, ...files] : files)
  return errorCounts.reduce((sum, each) => sum + each, 0)
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
