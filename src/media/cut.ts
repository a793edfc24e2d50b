import { ServiceError } from '../core/errors.ts'
import type { Ffmpeg } from '../core/ffmpeg.ts'
import type { MediaFormat } from '../core/media.ts'
import { durationOf, type Segment } from '../core/segments.ts'
import { type ClipReceipt, clipReceipt } from './clip-receipt.ts'
import { type CutPlan, cutInputOptions, cutOutputOptions, seekSeconds } from './cut-arguments.ts'
import { containers, type Quality } from './encoders.ts'
import { readFrameWindow } from './frame-window.ts'
import { packetSpans } from './packet-spans.ts'
import { readTracks, type Tracks } from './tracks.ts'

export interface CutInput {
  readonly source: Tracks
  /** On the clock where the media starts at 0. */
  readonly window: Segment
  readonly format: MediaFormat
  readonly quality: Quality
  readonly audioOnly: boolean
  readonly fadeSeconds: number
  readonly outputPath: string
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

export interface Clip {
  readonly durationSeconds: number
  readonly width: number | null
  readonly height: number | null
  readonly receipt: ClipReceipt
}

/** Encodes the window anew, exact to the frame and the sample, and reads the finished file to tell what it holds. */
export async function cutClip(input: CutInput): Promise<Clip> {
  const { source, format, outputPath, ffmpeg, signal, onProgress } = input
  const plan = await planCut(input)
  const length = durationOf(plan.window)
  await ffmpeg.run({
    input: source.input,
    signal,
    deadlineSeconds: deadlineFor(plan),
    inputOptions: cutInputOptions(plan),
    outputOptions: cutOutputOptions(plan),
    output: outputPath,
    maxBytes: mostBytes(plan),
    onProgress: (seconds) => onProgress(Math.min(seconds / length, 1)),
  })
  const tracks = await readTracks({ path: outputPath, format }, ffmpeg, signal)
  const rates = new Map(tracks.audio.map(({ streamIndex, sampleRate }) => [streamIndex, sampleRate]))
  const clip = { tracks, spans: await packetSpans({ input: tracks.input, ffmpeg, signal }, rates) }
  const receipt = clipReceipt(source, plan, clip)
  if (plan.video && receipt.framesEncoded < plan.video.frames.frames / 2) throw new ServiceError('processing_failed')
  return {
    durationSeconds: durationOf(receipt.presented),
    width: tracks.video?.width ?? null,
    height: tracks.video?.height ?? null,
    receipt,
  }
}

async function planCut({ source, window, format, ffmpeg, signal, ...input }: CutInput): Promise<CutPlan> {
  const container = containers[format]
  const track = container.video && !input.audioOnly ? source.video : null
  const frames = track ? await readFrameWindow(source, track, window, ffmpeg, signal) : undefined
  const video = track && frames ? { track, frames } : null
  const sounding = source.audio.filter(({ endSeconds }) => endSeconds > window.start)
  const single = sounding.find(({ isDefault }) => isDefault) ?? sounding[0]
  const audio = container.manyAudioTracks ? sounding : sounding.filter((candidate) => candidate === single)
  if (!video && audio.length === 0) throw nothingToCut(source, track !== null)
  // Without audio the clip starts with its first frame.
  const zeroSeconds = audio.length > 0 ? window.start : Math.max(window.start, video?.frames.firstSeconds ?? 0)
  const { originSeconds } = source
  const { quality, fadeSeconds } = input
  return { window, zeroSeconds, originSeconds, format, quality, video, audio, fadeSeconds }
}

function nothingToCut({ audio }: Tracks, wantsVideo: boolean): ServiceError {
  if (audio.length === 0 && !wantsVideo) {
    return new ServiceError('no_audio_track', 'The media has no audio track, and this clip has room for audio only.')
  }
  return new ServiceError('invalid_request', 'The media shows and plays nothing in this window. Choose another one.')
}

/** A slow core encodes 1080p at a few frames a second. */
function deadlineFor(plan: CutPlan): number {
  const { width = 0, height = 0 } = plan.video?.track ?? {}
  const secondsPerSecond = plan.video ? 20 * Math.max(1, (width * height) / 1e6) : 2
  return 120 + (plan.window.end - seekSeconds(plan)) * secondsPerSecond
}

/** Well above what any content comes to at these qualities: a limit for runaways. */
function mostBytes({ window, video, audio }: CutPlan): number {
  const { width = 0, height = 0, frameRate = 0 } = video?.track ?? {}
  const videoBytes = (width * height * Math.max(frameRate, 30)) / 2
  const audioBytes = audio.reduce(
    (sum, { sampleRate, channels }) => sum + Math.max(sampleRate, 48_000) * channels * 4,
    0,
  )
  return Math.ceil(16 * 2 ** 20 + durationOf(window) * (videoBytes + audioBytes))
}
