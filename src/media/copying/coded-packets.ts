import { createColumn } from '../../core/column.ts'
import { sortNumbers } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import { createFrameCounter } from '../inspect/frame-density.ts'
import { reorderSeconds } from '../inspect/margins.ts'
import type { PacketQuery } from '../inspect/packets.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'

/** The packets of a picture in decoding order, in ticks of its stream. As numbers: objects of a million would take 80 MB of the heap. */
export interface CodedPackets {
  readonly pts: Float64Array
  /** NaN where the container stores none. */
  readonly dts: Float64Array
  /** Of the bytes of each. */
  readonly checksums: Float64Array
  /** Presentation times of the keyframes, ascending. */
  readonly keyframeTicks: Float64Array
  /** When the packet that is shown last ends. */
  readonly endTick: number
}

/** Four hours of film at 60 frames a second, and more: their packets take 32 MB. */
export const maxCodedPackets = 1_000_000
const deadlineSeconds = 600

/** One of `readCodedPackets`. */
export interface CodedPacketQuery extends Pick<PacketQuery, 'input' | 'ffmpeg' | 'signal'> {
  readonly streamIndex: number
  /** Seconds on the container's clock, with the length of a tick. All packets if omitted. */
  readonly interval?: Segment & { readonly secondsPerTick: number }
}

/**
 * Reads the packets of a stream in decoding order, from a keyframe at or before the interval's start until its end. Throws
 * `CopyRefusal` if one has no time, or is described otherwise than those before it, and `ExceededLimit` if an interval has too many.
 */
export async function readCodedPackets({ interval, ...query }: CodedPacketQuery): Promise<CodedPackets> {
  if (!interval) return readAll(query, [], () => {})
  const { start, end, secondsPerTick } = interval
  const until = `%${(end + reorderSeconds).toFixed(6)}`
  const readFrom = (from: string) => {
    const countFrame = createFrameCounter(end + reorderSeconds)
    return readAll(query, ['-read_intervals', `${from}${until}`], (tick) => countFrame(tick * secondsPerTick))
  }
  const near = await readFrom(Math.max(0, start - reorderSeconds).toFixed(6))
  const [earliest = Number.POSITIVE_INFINITY] = near.keyframeTicks
  // A seek can end at a later keyframe, in a track that starts before 0.
  return earliest * secondsPerTick <= start ? near : readFrom('')
}

async function readAll(
  { streamIndex, ...query }: Omit<CodedPacketQuery, 'interval'>,
  limits: readonly string[],
  onTick: (tick: number) => void,
): Promise<CodedPackets> {
  const columns = { pts: createColumn(), dts: createColumn(), checksums: createColumn(), keyframes: createColumn() }
  let [packets, last, endTick] = [0, Number.NEGATIVE_INFINITY, 0]
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
      if (packets === maxCodedPackets) throw new CopyRefusal('the clip has too many frames')
      packets += 1
      onTick(packet.pts)
      columns.pts.push(packet.pts)
      columns.dts.push(packet.dts)
      columns.checksums.push(packet.checksum)
      if (packet.isKeyframe) columns.keyframes.push(packet.pts)
      if (packet.pts < last) return
      last = packet.pts
      endTick = packet.pts + packet.duration
    },
  })
  return {
    pts: columns.pts.values(),
    dts: columns.dts.values(),
    checksums: columns.checksums.values(),
    keyframeTicks: await sortNumbers(columns.keyframes.values()),
    endTick,
  }
}

const packetLine =
  /^packet\|pts=(-?\d+)\|dts=(-?\d+|N\/A)\|duration=(\d+|N\/A)\|flags=(K?)[^|]*\|data_hash=CRC32:([0-9a-f]{8})/i

function parseCodedPacket(line: string) {
  const [, pts, dts, duration, key, checksum = ''] = packetLine.exec(line) ?? []
  if (pts === undefined) return undefined
  return {
    pts: Number(pts),
    dts: dts === 'N/A' ? Number.NaN : Number(dts),
    duration: Number(duration) || 0,
    isKeyframe: key === 'K',
    checksum: Number.parseInt(checksum, 16),
  }
}
