import { createColumn, lowerBound, sortNumbers } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import { createFrameCounter, type PacketQuery, reorderSeconds } from '../inspect/packets.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import type { AccessPoints, PlannedStretch } from './smart-plan.ts'

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

/** Why a copy is refused. */
export const cutsOut = 'the media cuts out a part of the picture'

/** One of `readCodedPackets`. */
interface CodedPacketQuery extends Pick<PacketQuery, 'input' | 'ffmpeg' | 'signal'> {
  readonly streamIndex: number
  /**
   * Seconds on the container's clock, with the length of a tick and the end of the track. All packets if omitted. `shownFrom`: of what is
   * later, the media cuts out nothing.
   */
  readonly interval?: Segment & {
    readonly secondsPerTick: number
    readonly trackEnd: number
    readonly shownFrom?: number | undefined
  }
}

/**
 * Reads the packets of a stream in decoding order, from a keyframe at or before the interval's start until others follow its end. Throws
 * `CopyRefusal` if one has no time, is described otherwise than those before it, or is cut out where all are shown, and `ExceededLimit`
 * if an interval has too many.
 */
export async function readCodedPackets({ interval, ...query }: CodedPacketQuery): Promise<CodedPackets> {
  if (!interval) return readAll(query, [], () => {})
  const { start, end, secondsPerTick, trackEnd, shownFrom = Number.POSITIVE_INFINITY } = interval
  const readFrom = async (from: string) => {
    // Where nothing follows, the picture may pause for minutes, and frames before the pause may refer to one behind it.
    for (let pauseSeconds = reorderSeconds; ; pauseSeconds *= 60) {
      const until = Math.min(end + pauseSeconds, Math.max(trackEnd, end) + reorderSeconds)
      const countFrame = createFrameCounter(until)
      let latest = Number.NEGATIVE_INFINITY
      const packets = await readAll(query, ['-read_intervals', `${from}%${until.toFixed(6)}`], ({ pts, isHidden }) => {
        countFrame(pts * secondsPerTick)
        latest = Math.max(latest, pts * secondsPerTick)
        refuseUnless(!isHidden || pts * secondsPerTick < shownFrom, cutsOut)
      })
      if (latest >= end || until > trackEnd) return packets
    }
  }
  const near = await readFrom(Math.max(0, start - reorderSeconds).toFixed(6))
  const [earliest = Number.POSITIVE_INFINITY] = near.keyframeTicks
  // A seek can end at a later keyframe, in a track that starts before 0.
  return earliest * secondsPerTick <= start ? near : readFrom('')
}

async function readAll(
  { streamIndex, ...query }: Omit<CodedPacketQuery, 'interval'>,
  limits: readonly string[],
  onPacket: (packet: CodedPacket) => void,
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
      if (!packet) throw new CopyRefusal('some packets have no time')
      if (packets === maxCodedPackets) throw new CopyRefusal('the clip has too many frames')
      packets += 1
      onPacket(packet)
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
  /^packet\|pts=(-?\d+)\|dts=(-?\d+|N\/A)\|duration=(\d+|N\/A)\|flags=(K?)_?(D?)[^|]*\|data_hash=CRC32:([0-9a-f]{8})/i

type CodedPacket = NonNullable<ReturnType<typeof parseCodedPacket>>

function parseCodedPacket(line: string) {
  const [, pts, dts, duration, key, hidden, checksum = ''] = packetLine.exec(line) ?? []
  if (pts === undefined) return undefined
  return {
    pts: Number(pts),
    dts: dts === 'N/A' ? Number.NaN : Number(dts),
    duration: Number(duration) || 0,
    isKeyframe: key === 'K',
    isHidden: hidden === 'D',
    checksum: Number.parseInt(checksum, 16),
  }
}

/** Of pictures at which decoding can start, those that split the packets: all before are shown before all after. */
export async function accessPointsOf(
  { pts }: Pick<CodedPackets, 'pts'>,
  accessTicks: ArrayLike<number>,
): Promise<AccessPoints> {
  const starts = await sortNumbers(Float64Array.from(accessTicks))
  const turns = startTurns()
  const [ticks, leadingTicks] = [createColumn(), createColumn()]
  for (const { tick, index } of splitsOf(pts)) {
    if (turns.isDue()) await turns.next()
    const start = pts[index] ?? tick
    if (starts[lowerBound(starts, (each) => each < start)] !== start) continue
    ticks.push(start)
    leadingTicks.push(tick)
  }
  return { ticks: ticks.values(), leadingTicks: leadingTicks.values() }
}

/** How long before it is shown a frame is decoded, so that frames can be encoded before and after each copied stretch. */
export async function delayTicksOf(
  { pts, dts }: Pick<CodedPackets, 'pts' | 'dts'>,
  { ticks, leadingTicks }: AccessPoints,
  stretches: readonly PlannedStretch[],
): Promise<number> {
  const starts = new Set(stretches.flatMap((stretch) => ('fromTick' in stretch ? [stretch.fromTick] : [])))
  const turns = startTurns()
  let most = 0
  for (const [index, tick] of pts.entries()) {
    if (turns.isDue()) await turns.next()
    const decodedTick = dts[index] ?? Number.NaN
    if (!starts.has(tick) || Number.isNaN(decodedTick)) continue
    const leadingTick = leadingTicks[lowerBound(ticks, (each) => each < tick)] ?? tick
    most = Math.max(most, leadingTick - decodedTick)
  }
  return most
}

/** A place that splits packets in decoding order: all before it are shown before all behind it. */
interface PacketSplit {
  /** The earliest time of the packets behind it. */
  readonly tick: number
  /** Of the first packet behind it. */
  readonly index: number
  /** The latest time of the packets before it; negative infinity if it is the first. */
  readonly shownTick: number
}

/** Ascending. One by one, because every frame of some films is one. */
export function* splitsOf(pts: Float64Array): Iterable<PacketSplit> {
  const least = pts.slice()
  for (let at = least.length - 2; at >= 0; at--) least[at] = Math.min(least[at] ?? 0, least[at + 1] ?? 0)
  let shownTick = Number.NEGATIVE_INFINITY
  for (const [index, tick] of least.entries()) {
    if (shownTick < tick) yield { tick, index, shownTick }
    shownTick = Math.max(shownTick, pts[index] ?? tick)
  }
}
