import path from 'node:path'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import { durationOf } from '../../core/segments.ts'
import { packetSpans } from '../inspect/packet-spans.ts'
import { readTracks, type SourceVideo, type Tracks } from '../inspect/tracks.ts'
import { type ClipLoudness, type ClipPlan, type ClipReceipt, clipReceipt } from './clip-receipt.ts'
import { encodingDeadline } from './encode-limits.ts'
import { type Loudness, measureLoudness, meterOptions } from './loudness.ts'
import { makePoster, type Poster } from './poster.ts'

export interface Clip {
  readonly durationSeconds: number
  readonly width: number | null
  readonly height: number | null
  readonly receipt: ClipReceipt
  /** Written next to the clip; null without video. */
  readonly poster: Poster | null
}

export interface FinishedClipInput {
  /** Of the source. */
  readonly tracks: Tracks
  readonly plan: ClipPlan
  /** Errors while the source was decoded. */
  readonly decodeErrors: number
  /** That was asked for. Null: the clip is not measured. */
  readonly loudnessLufs: number | null
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

/** Reads a finished file for its receipt, and makes its poster. Throws `processing_failed` if too few frames were encoded. */
export async function readFinishedClip(
  input: FfmpegInput,
  { tracks, plan, decodeErrors, loudnessLufs, ffmpeg, signal }: FinishedClipInput,
): Promise<Clip> {
  const made = await readTracks(input, ffmpeg, signal)
  const rates = new Map(made.audio.map(({ streamIndex, sampleRate }) => [streamIndex, sampleRate]))
  // Simultaneously, as neither uses all cores.
  const [spans, poster, loudness] = await Promise.allSettled([
    packetSpans({ input, ffmpeg, signal }, rates),
    made.video ? makePoster({ clip: input, ...posterOf(input, made, made.video), ffmpeg, signal }) : null,
    loudnessLufs === null ? null : loudnessOf(input, made, loudnessLufs, { ffmpeg, signal }),
  ])
  if (spans.status === 'rejected') throw spans.reason
  if (poster.status === 'rejected') throw poster.reason
  if (loudness.status === 'rejected') throw loudness.reason
  const clip = { tracks: made, spans: spans.value, decodeErrors, loudness: loudness.value }
  const receipt = clipReceipt(tracks, plan, clip)
  if (receipt.framesEncoded + receipt.framesCopied < plan.plannedFrames / 2) throw new ServiceError('processing_failed')
  return {
    durationSeconds: durationOf(receipt.presented) + plan.zeroSeconds - plan.endZeroSeconds,
    width: made.video?.width ?? null,
    height: made.video?.height ?? null,
    receipt,
    poster: poster.value,
  }
}

async function loudnessOf(
  input: FfmpegInput,
  { audio }: Tracks,
  requestedLufs: number,
  tools: Pick<FinishedClipInput, 'ffmpeg' | 'signal'>,
): Promise<ClipLoudness> {
  const tracks: Loudness[] = []
  for (const { streamIndex, endSeconds } of audio) {
    const run = { input, ...tools, deadlineSeconds: encodingDeadline(endSeconds, null) }
    const outputOptions = meterOptions(`0:${streamIndex}`, [])
    tracks.push(await measureLoudness(({ output }) => tools.ffmpeg.run({ ...run, outputOptions, output })))
  }
  return { requestedLufs, tracks }
}

/** The poster shows the middle of the video, because the audio can be longer than the video. */
function posterOf(
  { path: file }: FfmpegInput,
  { durationSeconds }: Tracks,
  { width, height, endSeconds }: SourceVideo,
) {
  const { dir, name } = path.parse(file)
  const atSeconds = Math.min(durationSeconds, endSeconds) / 2
  return { width, height, atSeconds, outputPath: path.join(dir, `${name}.jpg`) }
}
