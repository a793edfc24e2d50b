import { durationOf, type Segment } from '../../core/segments.ts'
import { readFrameWindow } from '../inspect/frame-window.ts'
import { type ClipInput, chooseClipTracks, emptyClipError } from './clip-tracks.ts'
import { type CutPlan, cutOutputOptions, cutSeekSeconds } from './cut-arguments.ts'
import { encodingDeadline, maxOutputBytes, pixelsOf } from './encode-limits.ts'
import { type Clip, readFinishedClip } from './finished-clip.ts'
import { fillLongGaps } from './long-gaps.ts'
import { seekOptions } from './track-arguments.ts'

export interface CutInput extends ClipInput {
  /** On the clock where the media starts at 0. */
  readonly window: Segment
}

/** Encodes the window, exact to the frame and the sample, and reads the finished file for the receipt. */
export async function cutClip(input: CutInput): Promise<Clip> {
  const { tracks, format, outputPath, ffmpeg, signal, onProgress } = input
  const plan = await planCut(input)
  const length = durationOf(plan.window)
  const seekSeconds = cutSeekSeconds(plan)
  const { zeroSeconds, video, audio } = plan
  const decoded = { start: seekSeconds, end: plan.window.end }
  const { decodeErrors } = await fillLongGaps({ tracks, audio, window: decoded, ffmpeg, signal }, (resumes) =>
    ffmpeg.run({
      input: tracks.input,
      signal,
      deadlineSeconds: encodingDeadline(durationOf(decoded), video?.track ?? null),
      inputOptions: seekOptions(seekSeconds),
      outputOptions: cutOutputOptions({ ...plan, resumes }),
      output: outputPath,
      pixels: pixelsOf(video?.track ?? null),
      maxBytes: maxOutputBytes(length, { video: video?.track ?? null, audio }, format),
      onProgress: (seconds) => onProgress(Math.min(seconds / length, 1)),
    }),
  )
  const clipPlan = {
    requested: [plan.window],
    leftOut: [],
    zeroSeconds,
    endZeroSeconds: zeroSeconds,
    video: video?.track ?? null,
    audio,
    plannedFrames: video?.frames.frames ?? 0,
  }
  return readFinishedClip({ path: outputPath, format }, { tracks, plan: clipPlan, decodeErrors, ffmpeg, signal })
}

async function planCut({
  tracks,
  window,
  format,
  ffmpeg,
  signal,
  ...input
}: CutInput): Promise<Omit<CutPlan, 'resumes'>> {
  const { video: track, audio } = chooseClipTracks(tracks, { window, format, audioOnly: input.audioOnly })
  const frames = track ? await readFrameWindow(tracks, track, window, ffmpeg, signal) : undefined
  const video = track && frames ? { track, frames } : null
  if (!video && audio.length === 0) throw emptyClipError(tracks, track !== null)
  // Without audio the clip starts with its first frame.
  const zeroSeconds = audio.length > 0 ? window.start : Math.max(window.start, video?.frames.firstSeconds ?? 0)
  const { originSeconds } = tracks
  const { quality, fadeSeconds } = input
  return { window, zeroSeconds, originSeconds, format, quality, video, audio, fadeSeconds }
}
