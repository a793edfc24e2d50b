import path from 'node:path'
import { durationOf, type Segment } from '../../core/segments.ts'
import type { SourceAudio } from '../inspect/tracks.ts'
import type { Piece } from '../obtain-piece.ts'
import { burntLayers, layerInputs } from './burn-layers.ts'
import { mixOf } from './channel-mix.ts'
import { type ClipInput, marksOf } from './clip-marks.ts'
import type { ClipPicture } from './clip-picture.ts'
import { type Clip, type ClipPlan, readFinishedClip } from './clip-receipt.ts'
import { type CutPlan, cutAudioOptions, cutMeterOptions, cutOutputOptions, cutSeekSeconds } from './cut-arguments.ts'
import { encodingDeadline, largestPixels, maxOutputBytes } from './encode-limits.ts'
import { pictureAlong, pictureOfPieces, readCropPath, stretchAlong } from './followed-crop.ts'
import { clockOf } from './join-plan.ts'
import { decidedByLevel, type Levels, levelTo, measureLoudness } from './loudness.ts'
import { type CutPlanInput, readCutPlan, shownOfCut } from './read-cut-plan.ts'
import {
  audioPiece,
  encodeUnevenSound,
  evenSound,
  type MadeSound,
  remarksOn,
  type SoundRemark,
  type UnevenSound,
  widestTrack,
} from './uneven-sound.ts'
import { type ClipPieces, makeFromPieces, type PiecesInput, videoPiece } from './video-pieces.ts'

export type CutInput = CutPlanInput & PiecesInput

/** Encodes the window, exact to the frame and the sample, and reads the finished file for the receipt. */
export async function cutClip(input: CutInput): Promise<Clip> {
  const { tracks, format, outputPath, ffmpeg, signal } = input
  const plan = await readCutPlan(input)
  const length = durationOf(plan.window)
  const onProgress = (seconds: number) => input.onProgress(Math.min(seconds / length, 1))
  const { picture, ...made } =
    plan.pieces.length > 1
      ? await encodeInPieces(input, plan, onProgress)
      : await encodeInOneRun(input, plan, onProgress)
  const { loudnessLufs } = plan
  const finished = { tracks, plan: describeCut({ ...plan, picture }), ...made, loudnessLufs, ffmpeg, signal }
  return readFinishedClip({ path: outputPath, format }, finished)
}

/** The part of the plan that the receipt needs. */
export function describeCut({ window, zeroSeconds, video, picture, captions, audio }: CutPlan): ClipPlan {
  return {
    requested: [window],
    leftOut: [],
    zeroSeconds,
    endZeroSeconds: zeroSeconds,
    video: video?.track ?? null,
    picture,
    captions,
    audio,
    plannedFrames: video?.frames.frames ?? 0,
    mode: 'exact',
    framesCopied: 0,
  }
}

/** The pieces of the clip that `cutClip` makes of a long window, if its store is given. */
export async function cutPieces(input: CutPlanInput): Promise<ClipPieces> {
  return piecesOfPlan(input, await readCutPlan(input))
}

function piecesOfPlan(input: CutPlanInput, plan: CutPlan): ClipPieces {
  const { video, audio, format, quality, picture, kept, captions, logo } = plan
  const tracks = { video: video?.track ?? null, audio }
  const encoding = { format, quality, picture, kept, captions, logo, clock: clockOf(input.tracks, tracks) }
  return {
    tracks,
    audio: cutAudioPieces(input, plan),
    video: video ? plan.pieces.map((piece) => videoPiece(input, encoding, video.track, piece)) : [],
    isLong: plan.pieces.length > 1,
    shown: shownOfCut(plan),
  }
}

/** Encodes each audio track of a cut, as a file of its own. */
export function cutAudioPieces({ tracks, ffmpeg }: Pick<ClipInput, 'tracks' | 'ffmpeg'>, plan: CutPlan): Piece[] {
  const { input, originSeconds, durationSeconds } = tracks
  const window = decodedWindow(plan)
  return plan.audio.map((track) => {
    const encoding = cutAudioOptions(plan, track, evenSound, new Map())
    const decidedBy = [originSeconds, durationSeconds, window, encoding, ...decidedByLevel(plan)]
    return audioPiece(plan.format, decidedBy, (output, signal) =>
      encodeUnevenSound({ tracks, audio: [track], window, ffmpeg, signal }, async (sound) => {
        const { levels, remarks } = await levelsOf({ tracks, ffmpeg, signal }, plan, [track], sound)
        const { decodeErrors } = await ffmpeg.run({
          ...{ input, signal, deadlineSeconds: encodingDeadline(durationOf(window), null) },
          ...cutAudioOptions(plan, track, sound, levels),
          output,
          maxBytes: maxOutputBytes(durationOf(plan.window), soundOf([track], sound), plan.format),
        })
        return { decodeErrors, remarks }
      }),
    )
  })
}

/** For limits. */
function soundOf(audio: readonly SourceAudio[], sound: UnevenSound) {
  return { video: null, audio: audio.map((track) => widestTrack(track, sound)) }
}

/** The window, and what is decoded before it. */
function decodedWindow(plan: CutPlan): Segment {
  return { start: cutSeekSeconds(plan), end: plan.window.end }
}

/** The filters that mix the channels of the tracks and set their loudness, and what is to be said of it. Tracks are decoded and measured for both. */
async function levelsOf(
  { tracks, ffmpeg, signal }: Pick<CutInput, 'tracks' | 'ffmpeg' | 'signal'>,
  plan: CutPlan,
  audio: readonly SourceAudio[],
  sound: UnevenSound,
): Promise<{ readonly levels: Levels; readonly remarks: readonly SoundRemark[] }> {
  const levels = new Map<number, readonly string[]>()
  let hasInverted = false
  const { loudnessLufs, format } = plan
  const window = decodedWindow(plan)
  for (const track of audio) {
    const mix = await mixOf({ tracks, ffmpeg, signal }, { format, track, window: plan.window }, sound)
    hasInverted ||= mix.hasInverted
    const measure = (level: readonly string[]) =>
      measureLoudness(({ output }) =>
        ffmpeg.run({
          ...{ input: tracks.input, signal, deadlineSeconds: encodingDeadline(durationOf(window), null), output },
          ...cutMeterOptions(plan, track, sound, [...mix.filters, ...level]),
        }),
      )
    const level = loudnessLufs === null ? [] : await levelTo(loudnessLufs, format, measure)
    levels.set(track.streamIndex, [...mix.filters, ...level])
  }
  return { levels, remarks: remarksOn(sound, hasInverted) }
}

interface Encoded extends MadeSound {
  /** As it was made. */
  readonly picture: ClipPicture | null
}

async function encodeInPieces(input: CutInput, plan: CutPlan, onProgress: (seconds: number) => void): Promise<Encoded> {
  const pieces = piecesOfPlan(input, plan)
  const made = await makeFromPieces(input, pieces, onProgress)
  return { ...made, picture: await pictureOfPieces(plan.picture, pieces.video, path.dirname(input.outputPath)) }
}

async function encodeInOneRun(input: CutInput, plan: CutPlan, onProgress: (seconds: number) => void): Promise<Encoded> {
  const { tracks, format, outputPath, follower, ffmpeg, signal } = input
  const { audio, picture } = plan
  const video = plan.video?.track ?? null
  const window = decodedWindow(plan)
  const cropPath = video ? await readCropPath({ follower }, { track: video, picture, windows: [window] }, signal) : []
  const lastSeconds = (plan.video?.frames.lastSeconds ?? 0) - plan.zeroSeconds
  const { captions, logo } = plan
  const burnt = video && burntLayers({ track: video, picture, captions, logo, startSeconds: 0, lastSeconds })
  const marks = await marksOf(input, { video, audio }, shownOfCut(plan))
  const made = await encodeUnevenSound({ tracks, audio, window, ffmpeg, signal }, async (sound) => {
    const { levels, remarks } = await levelsOf({ tracks, ffmpeg, signal }, plan, audio, sound)
    const cut = cutOutputOptions(plan, sound, levels, { path: cropPath, burnt })
    const { decodeErrors } = await ffmpeg.run({
      input: tracks.input,
      signal,
      deadlineSeconds: encodingDeadline(durationOf(window), video, picture),
      ...{ inputOptions: cut.inputOptions, outputOptions: [...cut.outputOptions, ...marks.options] },
      moreInputs: [...layerInputs(burnt, plan, signal), ...marks.inputs],
      output: outputPath,
      pixels: largestPixels(video, picture),
      maxBytes: maxOutputBytes(durationOf(plan.window), { ...soundOf(audio, sound), video, picture }, format),
      onProgress,
    })
    return { decodeErrors, remarks }
  })
  return { ...made, picture: pictureAlong(picture, [stretchAlong(cropPath, [plan.window])]) }
}
