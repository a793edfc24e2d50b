import type { Ffmpeg, FfmpegInput, FfmpegOutcome } from '../../core/ffmpeg.ts'
import type { AudioTrack } from '../../core/media.ts'
import { prerollSeconds } from '../inspect/margins.ts'

/** A track to decode. */
export interface TrackInput {
  readonly input: FfmpegInput
  /** Index among the audio tracks. */
  readonly trackIndex: number
  /** Rate and channels of the output; the track's own leave its samples unchanged. */
  readonly track: Pick<AudioTrack, 'sampleRate' | 'channels'>
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

export interface DecodeInput extends TrackInput {
  /** On the media's clock. */
  readonly startFrame: number
  readonly endFrame: number
  /** Receives interleaved samples from `startFrame` on, in whole frames. The array is valid only during the call. */
  readonly onSamples: (samples: Int16Array) => void
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

const bytesPerSample = 2

/** An earlier start is reached by decoding from 0, without a seek. */
const minSeekSeconds = 10

/**
 * Decodes a stretch of one audio track on the media's clock. Gaps in the timestamps become silence, and the stretch is cut
 * out by counting samples. Yields fewer samples if the track ends early.
 */
export async function decodeAudio(decode: DecodeInput): Promise<FfmpegOutcome> {
  const { input, trackIndex, track, startFrame, endFrame, ffmpeg, signal, onSamples, onProgress } = decode
  const startSeconds = startFrame / track.sampleRate
  // Whole seconds are whole numbers of frames at every rate.
  const seek = startSeconds > minSeekSeconds ? Math.floor(startSeconds - prerollSeconds) : 0
  const seekFrame = seek * track.sampleRate
  const length = endFrame / track.sampleRate - seek
  const frameBytes = track.channels * bytesPerSample
  return ffmpeg.run({
    input,
    signal,
    deadlineSeconds: 60 + length,
    inputOptions: seek > 0 ? ['-noaccurate_seek', '-ss', String(seek)] : [],
    outputOptions: [
      ...['-map', `0:a:${trackIndex}`, '-vn', '-sn', '-dn'],
      // Piped samples have no timestamps: this fills gaps so that their count is their time.
      ...['-af', `aresample=${track.sampleRate}:async=1:first_pts=0,atrim=end_sample=${endFrame - seekFrame}`],
      ...['-ar', String(track.sampleRate), '-ac', String(track.channels), '-c:a', 'pcm_s16le', '-f', 's16le'],
      // Writes larger chunks than single packets of a few kilobytes: half the time is spent in this process.
      ...['-flush_packets', '0'],
    ],
    output: frameCutter(frameBytes, (startFrame - seekFrame) * frameBytes, onSamples),
    ...(onProgress ? { onProgress: (seconds: number) => onProgress(Math.min(seconds / length, 1)) } : {}),
  })
}

/** Turns chunks of any length into arrays of whole frames, after dropping the first `skipBytes`. */
function frameCutter(frameBytes: number, skipBytes: number, onSamples: (samples: Int16Array) => void) {
  let left = skipBytes
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer): void => {
    const dropped = Math.min(left, chunk.length)
    left -= dropped
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk.subarray(dropped)]) : chunk.subarray(dropped)
    const whole = bytes.length - (bytes.length % frameBytes)
    rest = Buffer.from(bytes.subarray(whole))
    if (whole > 0) onSamples(samplesOf(bytes.subarray(0, whole)))
  }
}

/** The bytes as samples; copied if they are not aligned to a sample. */
function samplesOf(bytes: Buffer): Int16Array {
  const { buffer, byteOffset } = bytes.byteOffset % bytesPerSample === 0 ? bytes : new Uint8Array(bytes)
  return new Int16Array(buffer, byteOffset, bytes.length / bytesPerSample)
}
