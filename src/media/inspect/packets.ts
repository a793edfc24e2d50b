import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import type { Segment } from '../../core/segments.ts'
import { reorderSeconds } from './margins.ts'

/** A packet, in seconds on its container's own clock. */
export interface Packet {
  readonly streamIndex: number
  readonly pts: number
  readonly duration: number
  readonly isKeyframe: boolean
  /** Decoders need it, and players do not show it: the container cuts it out. */
  readonly isHidden: boolean
  /** Samples at its start and its end that players skip. */
  readonly skippedSamples: number
  readonly paddingSamples: number
}

export interface PacketQuery {
  readonly input: FfmpegInput
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** Index of a stream; all streams if omitted. */
  readonly streamIndex?: number
  /** Seconds on the container's clock; packets around it are read too. All packets if omitted. */
  readonly interval?: Segment
  /** Several such intervals, in the order of their starts. */
  readonly intervals?: readonly Segment[]
  /** The read fails after this many packets. */
  readonly maxPackets?: number
  /** What it then throws. */
  readonly tooMany?: () => ServiceError
}

const deadlineSeconds = 600

/** A day of film with its sound has 6 million. Each packet is parsed on the main thread, which all work shares. */
const mostPackets = 8_000_000

/** The most packets that are counted in a file of this size. The packets of a day of speech with pauses have 16 bytes on average; those of pauses alone have one. */
export function maxPacketsOf(bytes = Number.POSITIVE_INFINITY): number {
  return Math.min(mostPackets, 1_000_000 + bytes / 16)
}

/** Some packets have no time, such as the first of an Ogg page and damaged ones. Media has other packets too. */
const maxUntimedPackets = 100_000

/** Reads packets in stored order without decoding them. Skips packets without a time. */
export function readPackets(query: PacketQuery, onPacket: (packet: Packet) => void): Promise<void> {
  const { input, ffmpeg, signal, streamIndex, maxPackets = mostPackets, tooMany = tooManyPackets } = query
  const { interval, intervals = interval ? [interval] : [] } = query
  const select = streamIndex === undefined ? [] : ['-select_streams', String(streamIndex)]
  const limits = intervals.length > 0 ? ['-read_intervals', intervals.map(intervalText).join(',')] : []
  const fields = 'packet=stream_index,pts_time,duration_time,flags:packet_side_data=skip_samples,discard_padding'
  let [packets, untimed] = [0, 0]
  return ffmpeg.probe({
    input,
    signal,
    deadlineSeconds,
    options: [...select, ...limits, '-show_entries', fields, '-of', 'compact'],
    onLine: (line) => {
      packets += 1
      const packet = parsePacket(line)
      if (!packet) untimed += 1
      if (packets > maxPackets) throw tooMany()
      if (untimed > maxUntimedPackets) throw tooManyPackets()
      if (packet) onPacket(packet)
    },
  })
}

function tooManyPackets(): ServiceError {
  return new ServiceError(
    'processing_failed',
    'The media has too many packets, or too many without a time. Convert it, or choose a shorter window.',
  )
}

/** One expression for millions of lines: splitting them takes several times as long. */
const packetLine =
  /^packet\|stream_index=(\d+)\|pts_time=([-\d.]+)\|duration_time=([^|]*)\|flags=(K?)_?(D?)(?:.*\bskip_samples=(\d+))?(?:.*\bdiscard_padding=(\d+))?/

function parsePacket(line: string): Packet | undefined {
  const match = packetLine.exec(line)
  const [, streamIndex, time, duration, key, hidden, skipped, padding] = match ?? []
  const pts = Number(time)
  // Also without a match.
  if (Number.isNaN(pts)) return undefined
  return {
    streamIndex: Number(streamIndex),
    pts,
    duration: Number(duration) || 0,
    isKeyframe: key === 'K',
    isHidden: hidden === 'D',
    skippedSamples: Number(skipped) || 0,
    paddingSamples: Number(padding) || 0,
  }
}

function intervalText({ start, end }: Segment): string {
  // Without a seek: a track can start before 0, and a seek to 0 would end at its next keyframe.
  const from = start > reorderSeconds ? (start - reorderSeconds).toFixed(6) : ''
  return `${from}%${(end + reorderSeconds).toFixed(6)}`
}
