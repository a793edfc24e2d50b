import path from 'node:path'
import { type Piece, pieceName } from '../pieces/obtain-piece.ts'
import { marksOf } from './clip-marks.ts'
import { type ClipPieces, makeFromPieces, type PiecesInput } from './clip-pieces.ts'
import { pictureOfPieces } from './crop-path.ts'
import { type Clip, readFinishedClip } from './finished-clip.ts'
import { audioOptions } from './join-arguments.ts'
import { joinAudio } from './join-audio.ts'
import { describeJoin, type JoinPlan, shownRanges } from './join-plan.ts'
import { decidedByLevel } from './loudness.ts'
import { type JoinPlanInput, readJoinPlan } from './read-join-plan.ts'
import { videoPiece } from './video-piece.ts'

export type JoinInput = JoinPlanInput & PiecesInput

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
  const pieces = piecesOfPlan(input, plan)
  const decodeErrors =
    !plan.video && track && !second
      ? await joinAudio({
          tracks,
          plan,
          track,
          outputPath,
          ffmpeg,
          signal,
          onProgress,
          marks: await marksOf(input, null, pieces.shown),
        })
      : await makeFromPieces(input, pieces, onProgress)
  const picture = await pictureOfPieces(plan.picture, pieces.video, path.dirname(outputPath))
  return readFinishedClip(
    { path: outputPath, format },
    { tracks, plan: describeJoin({ ...plan, picture }), decodeErrors, loudnessLufs: plan.loudnessLufs, ffmpeg, signal },
  )
}

/** The pieces of the clip that `joinRanges` makes. */
export async function joinPieces(input: JoinPlanInput): Promise<ClipPieces> {
  return piecesOfPlan(input, await readJoinPlan(input))
}

function piecesOfPlan(input: JoinPlanInput, plan: JoinPlan): ClipPieces {
  const { video, audio } = plan
  return {
    tracks: { video, audio },
    audio: joinAudioPieces(input, plan),
    video: video ? plan.pieces.map((piece) => videoPiece(input, plan, video, piece)) : [],
    shown: shownRanges(plan.ranges, plan.clock),
  }
}

/** Encodes the joined samples of each audio track, as a file of its own. */
export function joinAudioPieces({ tracks, ffmpeg }: Pick<JoinPlanInput, 'tracks' | 'ffmpeg'>, plan: JoinPlan): Piece[] {
  const { originSeconds, durationSeconds } = tracks
  const { ranges, clock, fadeSeconds } = plan
  return plan.audio.map((track) => {
    const encoding = audioOptions(plan, track, [])
    const decidedBy = [
      originSeconds,
      durationSeconds,
      track,
      ranges,
      clock,
      fadeSeconds,
      encoding,
      ...decidedByLevel(plan),
    ]
    return {
      fileName: pieceName('audio', decidedBy, plan.format),
      seconds: 0,
      make: (outputPath, signal, onProgress) =>
        joinAudio({ tracks, plan, track, outputPath, ffmpeg, signal, onProgress }),
    }
  })
}
