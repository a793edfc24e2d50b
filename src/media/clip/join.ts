import path from 'node:path'
import { type Segment, totalDuration } from '../../core/segments.ts'
import { type FrameTimes, noFrames, readFrames } from '../inspect/frame-window.ts'
import { assertFrameRate } from '../inspect/packets.ts'
import { sampleVideo } from '../inspect/sampled-video.ts'
import type { Piece } from '../obtain-piece.ts'
import { clipCaptions } from './burn-captions.ts'
import { type ClipInput, chooseClipTracks, emptyClipError, marksOf } from './clip-marks.ts'
import { clipPicture } from './clip-picture.ts'
import { type Clip, readFinishedClip } from './clip-receipt.ts'
import { joinLayoutSchema } from './encoders.ts'
import { pictureOfPieces } from './followed-crop.ts'
import { audioOptions } from './join-arguments.ts'
import { joinAudio } from './join-audio.ts'
import { clockOf, describeJoin, type JoinLayout, type JoinPlan, layOut, shownRanges } from './join-plan.ts'
import { limitPieces } from './lead-budget.ts'
import { decidedByLevel } from './loudness.ts'
import { keptPicture, nothingKept } from './picture-filters.ts'
import { audioPiece } from './uneven-sound.ts'
import {
  type ClipPieces,
  type Division,
  makeFromPieces,
  type PiecesInput,
  pieceThirds,
  storeLayout,
  totalLength,
  videoPiece,
} from './video-pieces.ts'

type JoinInput = JoinPlanInput & PiecesInput

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
  const made =
    !plan.video && track && !second
      ? await joinAudio({
          tracks,
          plan,
          track,
          outputPath,
          ffmpeg,
          signal,
          onProgress,
          marks: await marksOf(input, pieces.tracks, pieces.shown, 1),
        })
      : await makeFromPieces(input, pieces, onProgress)
  const picture = await pictureOfPieces(plan.picture, pieces.video, path.dirname(outputPath))
  return readFinishedClip(
    { path: outputPath, format },
    { tracks, plan: describeJoin({ ...plan, picture }), ...made, loudnessLufs: plan.loudnessLufs, ffmpeg, signal },
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
    isLong: plan.isLong,
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
    return audioPiece(plan.format, decidedBy, (outputPath, signal, onProgress) =>
      joinAudio({ tracks, plan, track, outputPath, ffmpeg, signal, onProgress }),
    )
  })
}

interface JoinPlanInput extends ClipInput, Division {
  /** Ascending and separate, on the clock where the media starts at 0. */
  readonly ranges: readonly Segment[]
  /** The frames in and around the ranges, if they were already read. The caller then keeps the limit of their number. */
  readonly frames?: FrameTimes
}

/** Plans the clip. The layout of a clip of several pieces is stored: finding it reads the packets of its ranges. */
export async function readJoinPlan(input: JoinPlanInput): Promise<JoinPlan> {
  const { tracks, ranges, format, audioOnly, quality, fadeSeconds, loudnessLufs } = input
  const window = { start: ranges[0]?.start ?? 0, end: ranges.at(-1)?.end ?? 0 }
  const chosen = chooseClipTracks(tracks, { window, format, audioOnly })
  const { video, audio } = chosen
  const thirds = pieceThirds(ranges, input)
  const findOut = async (): Promise<JoinLayout> => {
    const frames = video
      ? (input.frames ?? (await readFrames(tracks, video, ranges, input.ffmpeg, input.signal)))
      : noFrames
    const seconds = totalDuration(ranges)
    const layout = await layOut(tracks, { ...chosen, ranges, frames, thirds: limitPieces(thirds, seconds, frames) })
    const shown = layout.ranges.reduce((sum, range) => sum + range.frames, 0)
    if (!input.frames) assertFrameRate(shown, ranges)
    return layout
  }
  const decidedBy = [tracks.originSeconds, tracks.durationSeconds, video, audio, ranges, thirds]
  const layout =
    video && thirds.length > 1
      ? await storeLayout(input, { decidedBy, schema: joinLayoutSchema }, findOut)
      : await findOut()
  if (layout.ranges.length === 0 || (layout.pieces.length === 0 && audio.length === 0))
    throw emptyClipError(tracks, video !== null)
  // Only now: a film of too many frames is refused before any is looked at.
  const shown = video && layout.pieces.length > 0 ? await sampleVideo(tracks, video, ranges, input) : null
  const clock = clockOf(tracks, chosen)
  const picture = shown && clipPicture(shown, input)
  const captions = clipCaptions(input, shownRanges(layout.ranges, clock))
  const { logo = null } = input
  const isDivided = layout.pieces.length > 1
  return {
    ...layout,
    video: shown,
    picture,
    kept: shown ? keptPicture(shown, { ...input, picture, captions, logo, isDivided }) : nothingKept,
    ...{ audio, format, quality, fadeSeconds, loudnessLufs },
    requested: ranges,
    isLong: thirds.length > 1 && isDivided,
    clock,
    ...{ captions, logo },
    lengthTicks: totalLength(layout.ranges),
  }
}
