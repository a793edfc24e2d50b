import type { ShownRange } from '../../core/captions.ts'
import { lowerBound, makeNumbers } from '../../core/many-numbers.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { type FrameGrid, frameToleranceSeconds, type PlacedRange } from '../../core/snap-ranges.ts'
import { type FrameTimes, type FrameWindow, framesWithin, noFrames, readFrames } from '../inspect/frame-window.ts'
import { assertFrameRate } from '../inspect/packets.ts'
import { sampleVideo } from '../inspect/sampled-video.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import { clipCaptions } from './burn-captions.ts'
import { type ClipInput, type ClipTracks, chooseClipTracks, emptyClipError } from './clip-marks.ts'
import { clipPicture } from './clip-picture.ts'
import type { CutPlan } from './cut-arguments.ts'
import { cutLayoutSchema } from './encoders.ts'
import { clockOf } from './join-plan.ts'
import { leadOf, limitPieces, takeLead } from './lead-budget.ts'
import { keptPicture, nothingKept } from './picture-filters.ts'
import { type Division, divideVideo, equalThirds, pieceThirds, storeLayout, type VideoPiece } from './video-pieces.ts'

export interface CutPlanInput extends ClipInput, Division {
  /** On the clock where the media starts at 0. */
  readonly window: Segment
  /** Those in and around the window, if they were read before. The caller then keeps the limits of what is decoded. */
  readonly frames?: FrameTimes
}

interface CutLayout {
  readonly frames: FrameWindow | null
  readonly pieces: readonly VideoPiece[]
  readonly leadSeconds: number
}

/** Plans the clip. With a store, divides a long one into pieces, and stores their layout, because finding it reads the window's packets. */
export async function readCutPlan(input: CutPlanInput): Promise<CutPlan> {
  const { tracks, window, format, audioOnly, quality, fadeSeconds, loudnessLufs, ffmpeg, signal } = input
  const chosen = chooseClipTracks(tracks, { window, format, audioOnly })
  const { video: track, audio } = chosen
  const thirds = input.store ? pieceThirds([window], input) : equalThirds(1)
  const findOut = async (): Promise<CutLayout> => {
    const frames = track ? (input.frames ?? (await readFrames(tracks, track, [window], ffmpeg, signal))) : noFrames
    const layout = await layOutCut(input, chosen, frames, limitPieces(thirds, durationOf(window), frames))
    if (!input.frames) assertFrameRate(layout.frames?.frames ?? 0, [window])
    return { ...layout, leadSeconds: layout.frames ? leadOf(window, frames) : 0 }
  }
  const decidedBy = [tracks.originSeconds, tracks.durationSeconds, track, audio.length > 0, window, thirds]
  const { frames, pieces, leadSeconds } =
    track && thirds.length > 1
      ? await storeLayout(input, { decidedBy, schema: cutLayoutSchema }, findOut)
      : await findOut()
  // What pieces decode before them is limited by their number. Each job takes its lead, also if the layout was stored.
  if (pieces.length < 2 && !input.frames) takeLead(input.leadBudget, leadSeconds)
  // Only now: a film of too many frames is refused before any is looked at.
  const video =
    track && frames ? { track: await sampleVideo(tracks, track, [window], { ffmpeg, signal }), frames } : null
  if (!video && audio.length === 0) throw emptyClipError(tracks, track !== null)
  const zeroSeconds = zeroOf(window, audio.length > 0, frames)
  const { originSeconds } = tracks
  const picture = video && clipPicture(video.track, input)
  const captions = clipCaptions(input, shownOfCut({ window, zeroSeconds }))
  const { logo = null } = input
  return {
    captions,
    logo,
    window,
    zeroSeconds,
    originSeconds,
    format,
    quality,
    video,
    picture,
    kept: video
      ? keptPicture(video.track, { ...input, picture, captions, logo, isDivided: pieces.length > 1 })
      : nothingKept,
    pieces,
    audio,
    fadeSeconds,
    loudnessLufs,
  }
}

/** What a clip of one window shows of the source. */
export function shownOfCut({ window, zeroSeconds }: Pick<CutPlan, 'window' | 'zeroSeconds'>): ShownRange[] {
  return [{ presented: { start: zeroSeconds, end: window.end }, atSeconds: 0 }]
}

/** Without audio the clip starts with its first frame. */
function zeroOf(window: Segment, hasAudio: boolean, frames: FrameWindow | null): number {
  return hasAudio ? window.start : Math.max(window.start, frames?.firstSeconds ?? 0)
}

async function layOutCut(
  { tracks, window }: CutPlanInput,
  { video, audio }: ClipTracks,
  frames: FrameTimes,
  thirds: readonly number[],
): Promise<Omit<CutLayout, 'leadSeconds'>> {
  const shown = framesWithin(frames, window) ?? null
  if (!video || !shown || thirds.length < 2) return { frames: shown, pieces: [] }
  const zeroSeconds = zeroOf(window, audio.length > 0, shown)
  const { range, grid } = await placeWindow({ tracks, window, video, zeroSeconds }, shown, frames)
  return { frames: shown, pieces: divideVideo([range], grid, thirds) }
}

export interface PlacedWindow extends Pick<CutPlanInput, 'tracks' | 'window'> {
  readonly video: SourceVideo
  readonly zeroSeconds: number
}

/** Puts the window on the grid of the frames that one encode of it would contain, at the same times. */
export async function placeWindow(
  { tracks, window, video, zeroSeconds }: PlacedWindow,
  shown: FrameWindow,
  { starts }: FrameTimes,
): Promise<{ readonly range: PlacedRange; readonly grid: FrameGrid }> {
  const clock = clockOf(tracks, { video, audio: [] })
  const ticks = (seconds: number) => (seconds + clock.originSeconds) / clock.secondsPerTick
  const from = lowerBound(starts, (pts) => pts < shown.firstSeconds)
  const to = lowerBound(starts, (pts) => pts <= shown.lastSeconds)
  const frameTicks = await makeNumbers(to - from, (index) => Math.round(ticks(starts[from + index] ?? 0)))
  const before = starts[from - 1]
  const range = {
    requested: window,
    // A tick can be as long as a frame: rounded down, the start would be that of the frame before the window.
    startTick: Math.max(
      Math.round(ticks(zeroSeconds)),
      before === undefined ? Number.NEGATIVE_INFINITY : Math.round(ticks(before)) + 1,
    ),
    // The first tick that one encode leaves out, and what pieces allow for rounding.
    endTick:
      Math.ceil(ticks(window.end - frameToleranceSeconds)) + Math.floor(frameToleranceSeconds / clock.secondsPerTick),
    atTick: 0,
    firstFrameTick: frameTicks[0],
    frames: frameTicks.length,
  }
  return { range, grid: { ...clock, frameTicks, endTick: Math.round(ticks(shown.endSeconds)) } }
}
