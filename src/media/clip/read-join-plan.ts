import { type Segment, totalDuration } from '../../core/segments.ts'
import { assertFrameRate } from '../inspect/frame-density.ts'
import { type FrameTimes, noFrames, readFrames } from '../inspect/frame-window.ts'
import { sampleVideo } from '../inspect/sampled-video.ts'
import { clipCaptions } from './clip-captions.ts'
import { clipPicture } from './clip-picture.ts'
import { type ClipInput, chooseClipTracks, emptyClipError } from './clip-tracks.ts'
import { clockOf, type JoinLayout, type JoinPlan, layOut, shownRanges } from './join-plan.ts'
import { keptPicture, nothingKept } from './kept-picture.ts'
import { limitPieces } from './lead-budget.ts'
import { type Division, pieceThirds, storeLayout } from './pieces.ts'
import { joinLayoutSchema } from './stored-layout.ts'
import { totalLength } from './video-pieces.ts'

export interface JoinPlanInput extends ClipInput, Division {
  /** Ascending and separate, on the clock where the media starts at 0. */
  readonly ranges: readonly Segment[]
  /** The frames in and around the ranges, if they were already read. The caller then keeps the limit of their number. */
  readonly frames?: FrameTimes
}

/** Plans the clip. The layout of a clip of several pieces is stored: finding it reads all packets between its first and last range. */
export async function readJoinPlan(input: JoinPlanInput): Promise<JoinPlan> {
  const { tracks, ranges, format, audioOnly, quality, fadeSeconds, loudnessLufs, pieceSeconds } = input
  const window = { start: ranges[0]?.start ?? 0, end: ranges.at(-1)?.end ?? 0 }
  const chosen = chooseClipTracks(tracks, { window, format, audioOnly })
  const { video, audio } = chosen
  const thirds = pieceThirds(ranges, pieceSeconds)
  const findOut = async (): Promise<JoinLayout> => {
    const frames = video
      ? (input.frames ?? (await readFrames(tracks, video, window, input.ffmpeg, input.signal)))
      : noFrames
    const seconds = totalDuration(ranges)
    const layout = await layOut(tracks, { ...chosen, ranges, frames, thirds: limitPieces(thirds, seconds, frames) })
    const shown = layout.ranges.reduce((sum, range) => sum + range.frames, 0)
    if (!input.frames) assertFrameRate(shown, ranges)
    return layout
  }
  const decidedBy = [tracks.originSeconds, tracks.durationSeconds, video, audio, ranges, pieceSeconds]
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
  return {
    ...layout,
    video: shown,
    picture,
    kept: shown ? keptPicture(shown, { ...input, picture, captions }) : nothingKept,
    ...{ audio, format, quality, fadeSeconds, loudnessLufs },
    requested: ranges,
    clock,
    captions,
    lengthTicks: totalLength(layout.ranges),
  }
}
