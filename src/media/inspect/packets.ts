import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import { reorderSeconds } from './margins.ts'

/** A packet, in seconds on its container's own clock. */
export interface Packet {
  readonly streamIndex: number
  readonly pts: number
  readonly duration: number
  readonly isKeyframe: boolean
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
  readonly interval?: { readonly start: number; readonly end: number }
}

const deadlineSeconds = 600

/** A day of film at 60 frames a second with three audio tracks. Each is parsed here, on the thread that everything shares. */
const maxPackets = 20_000_000

/** Reads packets in stored order without decoding them. Skips packets without a time. */
export function readPackets(query: PacketQuery, onPacket: (packet: Packet) => void): Promise<void> {
  const { input, ffmpeg, signal, streamIndex, interval } = query
  const select = streamIndex === undefined ? [] : ['-select_streams', String(streamIndex)]
  const limits = interval ? ['-read_intervals', intervalText(interval)] : []
  const fields = 'packet=stream_index,pts_time,duration_time,flags:packet_side_data=skip_samples,discard_padding'
  let packets = 0
  return ffmpeg.probe({
    input,
    signal,
    deadlineSeconds,
    options: [...select, ...limits, '-show_entries', fields, '-of', 'compact'],
    onLine: (line) => {
      packets += 1
      if (packets > maxPackets)
        throw new ServiceError(
          'processing_failed',
          'The media has too many packets. Convert it, or choose a shorter window.',
        )
      const packet = parsePacket(line)
      if (packet) onPacket(packet)
    },
  })
}

function parsePacket(line: string): Packet | undefined {
  if (!line.startsWith('packet|')) return undefined
  const fields = new Map<string, string>()
  for (const field of line.split(/[|:]/)) {
    const [name = '', value = ''] = field.split('=')
    fields.set(name, value)
  }
  const number = (name: string) => Number(fields.get(name))
  const pts = number('pts_time')
  if (Number.isNaN(pts)) return undefined
  return {
    streamIndex: number('stream_index'),
    pts,
    duration: number('duration_time') || 0,
    isKeyframe: fields.get('flags')?.startsWith('K') ?? false,
    skippedSamples: number('skip_samples') || 0,
    paddingSamples: number('discard_padding') || 0,
  }
}

function intervalText({ start, end }: { readonly start: number; readonly end: number }): string {
  return `${Math.max(0, start - reorderSeconds).toFixed(6)}%${(end + reorderSeconds).toFixed(6)}`
}
