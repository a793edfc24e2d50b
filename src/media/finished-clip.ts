import { ServiceError } from '../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../core/ffmpeg.ts'
import { durationOf } from '../core/segments.ts'
import { type ClipPlan, type ClipReceipt, clipReceipt } from './clip-receipt.ts'
import { packetSpans } from './packet-spans.ts'
import { readTracks, type Tracks } from './tracks.ts'

export interface Clip {
  readonly durationSeconds: number
  readonly width: number | null
  readonly height: number | null
  readonly receipt: ClipReceipt
}

/** Reads a finished file to tell what it holds. `processing_failed` where frames are missing. */
export async function readFinishedClip(
  input: FfmpegInput,
  { source, plan, ffmpeg, signal }: { source: Tracks; plan: ClipPlan; ffmpeg: Ffmpeg; signal: AbortSignal },
): Promise<Clip> {
  const tracks = await readTracks(input, ffmpeg, signal)
  const rates = new Map(tracks.audio.map(({ streamIndex, sampleRate }) => [streamIndex, sampleRate]))
  const spans = await packetSpans({ input, ffmpeg, signal }, rates)
  const receipt = clipReceipt(source, plan, { tracks, spans })
  if (receipt.framesEncoded < plan.plannedFrames / 2) throw new ServiceError('processing_failed')
  return {
    durationSeconds: durationOf(receipt.presented) + plan.zeroSeconds - plan.endZeroSeconds,
    width: tracks.video?.width ?? null,
    height: tracks.video?.height ?? null,
    receipt,
  }
}
