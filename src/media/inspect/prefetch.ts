import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import { durationOf, pad, type Segment } from '../../core/segments.ts'
import { prerollSeconds, reorderSeconds } from './packets.ts'

export interface PrefetchInput {
  readonly input: FfmpegInput
  /** On the clock where the media starts at 0. */
  readonly windows: readonly Segment[]
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

/** What decoders and packets out of order need around a window, and a little more for rounding. */
const marginSeconds = Math.max(prerollSeconds, reorderSeconds) + 0.1
const deadlineSeconds = 7_200

/** Reads the packets of the windows, so that they are cached when a later step works on them. */
export async function prefetch({ input, windows, ffmpeg, signal }: PrefetchInput): Promise<void> {
  for (const window of pad(windows, marginSeconds, { start: 0, end: Number.POSITIVE_INFINITY })) {
    await ffmpeg.run({
      ...{ input, signal, deadlineSeconds },
      cores: 1,
      inputOptions: ['-ss', window.start.toFixed(3), '-t', durationOf(window).toFixed(3)],
      outputOptions: ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-f', 'null'],
      output: () => {},
    })
  }
}
