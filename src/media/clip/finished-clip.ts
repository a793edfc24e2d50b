import path from 'node:path'
import { runBothOrAbort } from '../../core/abortable.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import { durationOf, totalDuration } from '../../core/segments.ts'
import { readFinishedFile } from '../inspect/finished-file.ts'
import type { Tracks } from '../inspect/tracks.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
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
  /** Made by then; null if no frame could be decoded. The clip's own middle if omitted. */
  readonly poster?: Poster | null
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

/** Reads a finished file for its receipt, and makes its poster. Throws `processing_failed` if too few frames were written. */
export async function readFinishedClip(
  input: FfmpegInput,
  { tracks, plan, decodeErrors, loudnessLufs, ffmpeg, signal, ...given }: FinishedClipInput,
): Promise<Clip> {
  const lengthSeconds = totalDuration(plan.requested)
  const { tracks: made, readSpans } = await readFinishedFile({ input, ffmpeg, signal }, lengthSeconds)
  if (plan.video && !made.video) throw new ServiceError('processing_failed')
  assertSoundLength(plan, made, lengthSeconds)
  // Simultaneously, as neither uses all cores.
  const [poster, { spans, loudness }] = await runBothOrAbort(
    signal,
    async (either) => {
      if (given.poster !== undefined || !made.video) return given.poster ?? null
      return makePoster({ media: input, ...posterOf(input, made, made.video), ffmpeg, signal: either })
    },
    async (either) => ({
      spans: await readSpans(either),
      loudness: loudnessLufs === null ? null : await loudnessOf(input, made, loudnessLufs, { ffmpeg, signal: either }),
    }),
  )
  const clip = { tracks: made, spans, decodeErrors, loudness }
  const receipt = clipReceipt(tracks, plan, clip)
  if (receipt.framesEncoded + receipt.framesCopied < plan.plannedFrames / 2) throw new ServiceError('processing_failed')
  return {
    durationSeconds: durationOf(receipt.presented) + plan.zeroSeconds - plan.endZeroSeconds,
    width: made.video?.width ?? null,
    height: made.video?.height ?? null,
    receipt,
    poster,
  }
}

/** Of priming and padding: the codecs of clips have at most 1,152 samples in a frame. */
const paddingSamples = 3 * 1_152

/** Sound that is longer than its clip is not where it belongs. Copied packets can begin before their range. */
function assertSoundLength({ mode, video }: ClipPlan, { audio }: Tracks, lengthSeconds: number): void {
  if (mode === 'copy') return
  const frameSeconds = 1 / (video?.frameRate || 25)
  const displaced = audio.find(
    ({ endSeconds, sampleRate }) => endSeconds > lengthSeconds + frameSeconds + paddingSamples / sampleRate,
  )
  if (displaced)
    throw new ServiceError(
      'processing_failed',
      'The sound of the clip would not be in its place: the times of the media are damaged. Convert the media, or choose another window.',
    )
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
function posterOf({ path: file }: FfmpegInput, { durationSeconds }: Tracks, video: SourceVideo) {
  return { video, atSeconds: Math.min(durationSeconds, video.endSeconds) / 2, outputPath: posterBeside(file) }
}

/** The path of the poster of the clip with this path. */
export function posterBeside(file: string): string {
  const { dir, name } = path.parse(file)
  return path.join(dir, `${name}.jpg`)
}
