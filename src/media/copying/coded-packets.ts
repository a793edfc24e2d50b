import type { Segment } from '../../core/segments.ts'
import { reorderSeconds } from '../inspect/margins.ts'
import type { PacketQuery } from '../inspect/packets.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'

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
  /** Seconds on the container's clock, with the length of a tick. All packets if omitted. */
  readonly interval?: Segment & { readonly secondsPerTick: number }
}

/**
 * Reads the packets of a stream in decoding order, from a keyframe at or before the interval's start until its end. Throws
 * `CopyRefusal` if one has no time, or is described otherwise than those before it.
 */
export async function readCodedPackets({ interval, ...query }: CodedPacketQuery): Promise<CodedPacket[]> {
  if (!interval) return readAll(query, [])
  const { start, end, secondsPerTick } = interval
  const until = `%${(end + reorderSeconds).toFixed(6)}`
  const near = await readAll(query, ['-read_intervals', `${Math.max(0, start - reorderSeconds).toFixed(6)}${until}`])
  const isBefore = near.some(({ pts, isKeyframe }) => isKeyframe && pts * secondsPerTick <= start)
  // A seek can end at a later keyframe, in a track that starts before 0.
  return isBefore ? near : readAll(query, ['-read_intervals', until])
}

async function readAll(
  { streamIndex, ...query }: Omit<CodedPacketQuery, 'interval'>,
  limits: readonly string[],
): Promise<CodedPacket[]> {
  const packets: CodedPacket[] = []
  await query.ffmpeg.probe({
    ...query,
    deadlineSeconds,
    options: [
      ...['-select_streams', String(streamIndex), ...limits, '-show_data_hash', 'crc32'],
      ...['-show_entries', 'packet=pts,dts,duration,flags,data_hash:packet_side_data=side_data_type', '-of', 'compact'],
    ],
    onLine: (line) => {
      // MP4 can have several descriptions of one track. Of packets that were cut out, a copy would not have theirs.
      refuseUnless(!line.includes('New Extradata'), 'the description of the picture changes')
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
