import { nextTurn } from '../../core/turns.ts'
import { fragmentOptions, fragmentReader, unreadableStream } from '../inspect/mp4-boxes.ts'
import { cellMs, type Envelope, frameAt, framesIn, type Stretch } from './envelope.ts'

export interface MeterOptions extends Stretch {
  readonly sampleRate: number
  readonly channels: number
}

interface Meter {
  /** Takes the next interleaved samples, in whole frames. Ignores samples after the end of the stretch. */
  push(samples: Int16Array): void
  finish(decodeErrors: number): Envelope
}

/** Measures the envelope of a stretch as its samples are decoded. */
export function createMeter({ startMs, endMs, sampleRate, channels }: MeterOptions): Meter {
  const peaks = new Uint16Array(endMs - startMs)
  const squares = new Float32Array((endMs - startMs) / cellMs)
  const sums = new Float64Array(channels)
  let window = 0
  let left = 0
  let samplesTaken = 0

  const samplesOf = (index: number) =>
    (frameAt(startMs + index + 1, sampleRate) - frameAt(startMs + index, sampleRate)) * channels
  const closeCell = () => {
    squares[Math.floor((window - 1) / cellMs)] = Math.max(...sums)
    sums.fill(0)
  }
  // Below 1 kHz, some windows contain no frame.
  const openWindow = () => {
    while (left === 0 && window < peaks.length) {
      left = samplesOf(window)
      if (left > 0) return
      window += 1
      if (window % cellMs === 0) closeCell()
    }
  }
  openWindow()
  return {
    push(samples) {
      let at = 0
      while (at < samples.length && window < peaks.length) {
        const end = Math.min(at + left, samples.length)
        const peak = measure(samples, at, end, sums)
        if (peak > (peaks[window] ?? 0)) peaks[window] = peak
        left -= end - at
        at = end
        if (left > 0) continue
        window += 1
        if (window % cellMs === 0) closeCell()
        openWindow()
      }
      samplesTaken += at
    },
    finish(decodeErrors) {
      if (window % cellMs !== 0 || left > 0) {
        window += 1
        closeCell()
      }
      const frames = Math.min(samplesTaken / channels, framesIn({ startMs, endMs }, sampleRate))
      return { startMs, endMs, sampleRate, frames, decodeErrors, peaks, squares }
    },
  }
}

/** Adds the squares of each channel to `sums`; returns the highest absolute sample. Plain loops, as this runs for every sample. */
function measure(samples: Int16Array, start: number, end: number, sums: Float64Array): number {
  const channels = sums.length
  let highest = 0
  let lowest = 0
  for (let channel = 0; channel < channels; channel++) {
    let sum = 0
    for (let index = start + channel; index < end; index += channels) {
      const sample = samples[index] ?? 0
      if (sample > highest) highest = sample
      else if (sample < lowest) lowest = sample
      sum += sample * sample
    }
    sums[channel] = (sums[channel] ?? 0) + sum
  }
  return Math.max(highest, -lowest)
}

/**
 * Output options for PCM in fragments of QuickTime, with times in samples. A packet that starts more than `frag_duration`
 * microseconds after its fragment begins the next fragment, so that no fragment contains a longer gap.
 */
export const timedPcmOptions: readonly string[] = [...fragmentOptions(), '-frag_duration', '100000']

export interface TimedPacket {
  /** The time of its first frame, counted in frames. */
  readonly startFrame: number
  /** Whole frames. */
  readonly bytes: Buffer
}

/**
 * Parses a stream that was made with these options, in chunks of any length. Returns the packets, or parts of packets, of each chunk as
 * views of it. Keeps less than a frame, and copies a frame that is in several chunks. Throws `processing_failed` if the stream has
 * anything but whole frames of one track.
 */
export function packetReader(frameBytes: number): (chunk: Buffer) => TimedPacket[] {
  const begun = Buffer.alloc(frameBytes)
  let begunBytes = 0
  let packets: TimedPacket[] = []
  const read = fragmentReader((bytes, { time, at, bytesOfFragment }) => {
    if (bytesOfFragment % frameBytes > 0) throw unreadableStream(`${bytesOfFragment} bytes in frames of ${frameBytes}`)
    let startFrame = time + Math.floor(at / frameBytes)
    let rest = bytes
    if (begunBytes > 0) {
      const taken = rest.copy(begun, begunBytes)
      begunBytes += taken
      if (begunBytes < frameBytes) return
      packets.push({ startFrame, bytes: Buffer.from(begun) })
      startFrame += 1
      rest = rest.subarray(taken)
    }
    begunBytes = rest.length % frameBytes
    const whole = rest.length - begunBytes
    rest.copy(begun, 0, whole)
    if (whole > 0) packets.push({ startFrame, bytes: rest.subarray(0, whole) })
  })
  return (chunk) => {
    packets = []
    read(chunk)
    return packets
  }
}

/**
 * If a packet starts later than expected by more than this, silence fills the gap; if it starts earlier by more than this,
 * samples are dropped, as ffmpeg's aresample=async=1 does (libswresample/swresample.c, swr_next_pts). Other packets continue
 * without a gap, because containers round timestamps and recorders write late ones. Nobody notices sound that is up to 45 ms early
 * (ITU-R BT.1359). The first timestamp is exact.
 */
export const maxDriftSeconds = 0.04
const maxStartDriftSeconds = 0.001

/** Silence is passed on in parts, between which other work of this process runs. */
const silentFrames = 65_536

interface GapInput {
  readonly sampleRate: number
  readonly frameBytes: number
  /** No packet starts later. */
  readonly lastFrame: number
  /** Receives the bytes of whole frames, in order. */
  readonly onBytes: (bytes: Buffer) => void
}

/**
 * Places packets on a clock that starts at 0. Fills the gaps between them with silence, in constant memory. Throws `processing_failed`
 * for a packet behind the last frame, before which silence could have any length.
 */
export function gapFiller({ sampleRate, frameBytes, lastFrame, onBytes }: GapInput) {
  let position = 0
  let framesToDrop = 0
  const silence = Buffer.alloc(silentFrames * frameBytes)
  const passOn = (bytes: Buffer) => {
    position += bytes.length / frameBytes
    onBytes(bytes)
  }
  const place = ({ bytes }: TimedPacket) => {
    const dropped = Math.min(framesToDrop, bytes.length / frameBytes)
    framesToDrop -= dropped
    if (dropped * frameBytes < bytes.length) passOn(bytes.subarray(dropped * frameBytes))
  }
  const fill = async (packet: TimedPacket, rest: readonly TimedPacket[]) => {
    framesToDrop = 0
    while (position < packet.startFrame) {
      passOn(silence.subarray(0, Math.min(silentFrames, packet.startFrame - position) * frameBytes))
      await nextTurn()
    }
    place(packet)
    return push(rest)
  }
  /** Settles when the packets are passed on. */
  const push = (packets: readonly TimedPacket[]): Promise<void> | void => {
    for (const [index, packet] of packets.entries()) {
      if (packet.startFrame > lastFrame) throw unreadableStream(`frame ${packet.startFrame} behind ${lastFrame}`)
      const drift = packet.startFrame - position + framesToDrop
      const maxDrift = (position === 0 ? maxStartDriftSeconds : maxDriftSeconds) * sampleRate
      if (drift > maxDrift) return fill(packet, packets.slice(index + 1))
      if (drift < -maxDrift) framesToDrop -= Math.trunc(drift)
      place(packet)
    }
  }
  return push
}
