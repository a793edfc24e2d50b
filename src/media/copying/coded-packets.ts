import type { Segment } from '../../core/segments.ts'
import type { PacketQuery } from '../inspect/packets.ts'
import { CopyRefusal } from './copy-refusal.ts'

/** A packet of the picture, in ticks of its stream. */
export interface CodedPacket {
  readonly pts: number
  /** Undefined where the container stores none. */
  readonly dts: number | undefined
  readonly duration: number
  readonly isKeyframe: boolean
  /** A checksum of its bytes. */
  readonly checksum: number
}

/** A few hours of film: their packets take 150 MB. */
const maxPackets = 1_000_000
const deadlineSeconds = 600

/** One of `readCodedPackets`. */
export interface CodedPacketQuery extends Pick<PacketQuery, 'input' | 'ffmpeg' | 'signal'> {
  readonly streamIndex: number
  /** Seconds on the container's clock. All packets if omitted. */
  readonly interval?: Segment
}

/** Reads the packets of a stream in decoding order, from the keyframe before the interval on. Throws `CopyRefusal` if one has no time. */
export async function readCodedPackets({ streamIndex, interval, ...query }: CodedPacketQuery): Promise<CodedPacket[]> {
  const packets: CodedPacket[] = []
  const limits = interval
    ? ['-read_intervals', `${Math.max(0, interval.start).toFixed(6)}%${interval.end.toFixed(6)}`]
    : []
  await query.ffmpeg.probe({
    ...query,
    deadlineSeconds,
    options: [
      ...['-select_streams', String(streamIndex), ...limits, '-show_data_hash', 'crc32'],
      ...['-show_entries', 'packet=pts,dts,duration,flags,data_hash:packet_side_data=', '-of', 'compact'],
    ],
    onLine: (line) => {
      const packet = parseCodedPacket(line)
      if (!packet) throw new CopyRefusal('the picture has packets without a time')
      if (packets.length === maxPackets) throw new CopyRefusal('the clip has too many frames')
      packets.push(packet)
    },
  })
  return packets
}

const packetLine =
  /^packet\|pts=(-?\d+)\|dts=(-?\d+|N\/A)\|duration=(\d+|N\/A)\|flags=(K?)[^|]*\|data_hash=CRC32:([0-9a-f]{8})/i

function parseCodedPacket(line: string): CodedPacket | undefined {
  const [, pts, dts, duration, key, checksum = ''] = packetLine.exec(line) ?? []
  if (pts === undefined) return undefined
  return {
    pts: Number(pts),
    dts: dts === 'N/A' ? undefined : Number(dts),
    duration: Number(duration) || 0,
    isKeyframe: key === 'K',
    checksum: Number.parseInt(checksum, 16),
  }
}
