import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import type { AudioTrack } from '../../core/media.ts'
import { prerollSeconds } from '../inspect/margins.ts'

/** A track to decode, and with what. */
export interface TrackInput {
  readonly input: FfmpegInput
  /** Place among the audio tracks. */
  readonly trackIndex: number
  /** What samples are wanted: the track's own rate and channels leave them as they are. */
  readonly track: Pick<AudioTrack, 'sampleRate' | 'channels'>
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

export interface DecodeInput extends TrackInput {
  /** On the media's clock. */
  readonly startFrame: number
  readonly endFrame: number
  /** Interleaved samples from `startFrame` on, in order; each piece holds whole frames and is only valid during the call. */
  readonly onSamples: (samples: Int16Array) => void
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

const bytesPerSample = 2

/** An earlier start is reached by decoding from 0, without a seek. */
const minSeekSeconds = 10

/**
 * Decodes a stretch of one audio track on the media's clock: gaps in the timestamps become
 * silence, and the stretch is cut out by counting samples. Fewer come where the track ends early.
 */
export async function decodeAudio(decode: DecodeInput): Promise<void> {
  const { input, trackIndex, track, startFrame, endFrame, ffmpeg, signal, onSamples, onProgress } = decode
  const startSeconds = startFrame / track.sampleRate
  // Whole seconds are whole numbers of frames at every rate.
  const seek = startSeconds > minSeekSeconds ? Math.floor(startSeconds - prerollSeconds) : 0
  const seekFrame = seek * track.sampleRate
  const length = endFrame / track.sampleRate - seek
  const frameBytes = track.channels * bytesPerSample
  await ffmpeg.run({
    input,
    signal,
    deadlineSeconds: 60 + length,
    inputOptions: seek > 0 ? ['-noaccurate_seek', '-ss', String(seek)] : [],
    outputOptions: [
      ...['-map', `0:a:${trackIndex}`, '-vn', '-sn', '-dn'],
      // Piped samples carry no timestamps: this puts them where the timestamps say.
      ...['-af', `aresample=${track.sampleRate}:async=1:first_pts=0,atrim=end_sample=${endFrame - seekFrame}`],
      ...['-ar', String(track.sampleRate), '-ac', String(track.channels), '-c:a', 'pcm_s16le', '-f', 's16le'],
      // Each packet alone would be a few kilobytes: fewer, larger pieces take half of our own time away.
      ...['-flush_packets', '0'],
    ],
    output: frameCutter(frameBytes, (startFrame - seekFrame) * frameBytes, onSamples),
    ...(onProgress ? { onProgress: (seconds: number) => onProgress(Math.min(seconds / length, 1)) } : {}),
  })
}

/** Turns chunks of any length into pieces of whole frames, after dropping the first `skipBytes`. */
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

/** The bytes as samples; copied where they do not start on a sample's boundary. */
function samplesOf(bytes: Buffer): Int16Array {
  const { buffer, byteOffset } = bytes.byteOffset % bytesPerSample === 0 ? bytes : new Uint8Array(bytes)
  return new Int16Array(buffer, byteOffset, bytes.length / bytesPerSample)
}
