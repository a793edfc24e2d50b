import { nextTurn } from '../../core/turns.ts'
import { unreadableStream } from '../inspect/quicktime-fragments.ts'
import type { TimedPacket } from './packet-reader.ts'

/**
 * If a packet starts later than expected by more than this, silence fills the gap; if it starts earlier by more than this,
 * samples are dropped, as ffmpeg's aresample=async=1 does (libswresample/swresample.c, swr_next_pts). Other packets continue
 * without a gap, because containers round timestamps. The first timestamp is exact.
 */
const maxDriftSeconds = 0.1
const maxStartDriftSeconds = 0.001

/** Silence is passed on in parts, between which other work of this process runs. */
const silentFrames = 65_536

export interface GapInput {
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
