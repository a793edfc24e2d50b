import { ServiceError } from '../../core/errors.ts'
import type { AudioTrack } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import { reorderSeconds } from './margins.ts'
import type { PacketQuery } from './packets.ts'

// Broadcasts, joined files and some encoders change the channels or the rate of a track as it plays.

/** How the channels of a track are decoded. */
export type SoundFormat = Pick<AudioTrack, 'channels' | 'layout'>

/** ffprobe's name for a layout. Undefined for one that the file does not state, and for a text that is no name. */
export function layoutOf(name: string | undefined): string | undefined {
  return name !== undefined && name !== 'unknown' && /^[\w.+()-]+$/.test(name) ? name : undefined
}

/**
 * Input options with which ffmpeg fails where decoded sound changes its format. By default it builds the filters again, which then
 * forget what they have filled and cut.
 */
export const refuseChangedSound: readonly string[] = ['-reinit_filter:a', '0']

/** Filters that bring sound to one format, however often it changes. */
export function formatFilters({
  sampleRate,
  channels,
  layout,
}: Pick<AudioTrack, 'sampleRate'> & SoundFormat): string[] {
  return [
    `aresample=${sampleRate}`,
    // Conversions of samples that are no floating point make the sound quieter, and those of mono to stereo too.
    'aformat=sample_fmts=flt',
    channels === 2 ? 'pan=stereo|FL=FL+FC|FR=FR+FC' : layoutFilter({ channels, layout }),
  ]
}

/** Keeps the channels as they are, and brings others into their layout. */
export function layoutFilter({ channels, layout = `${channels}C` }: SoundFormat): string {
  return `aformat=channel_layouts=${layout}`
}

export interface FormatQuery extends Pick<PacketQuery, 'input' | 'ffmpeg' | 'signal'> {
  /** For ffprobe: an index among all streams, or `a:` and one among the audio tracks. */
  readonly stream: string
  /** Seconds on the container's clock. */
  readonly interval: Segment
}

/** The formats of a stretch of a track, in the order of time. Decodes it. */
export async function readSoundFormats({ stream, interval, ...query }: FormatQuery): Promise<SoundFormat[]> {
  const formats = new Map<string, SoundFormat>()
  const from = Math.max(0, interval.start - reorderSeconds).toFixed(6)
  const seconds = interval.end - interval.start
  await query.ffmpeg.probe({
    ...query,
    deadlineSeconds: 60 + seconds,
    cpuSeconds: 60 + seconds,
    options: [
      ...['-select_streams', stream, '-read_intervals', `${from}%${(interval.end + reorderSeconds).toFixed(6)}`],
      ...['-show_entries', 'frame=channels,channel_layout', '-of', 'csv=p=0'],
    ],
    onLine: (line) => {
      const [count, name] = line.split(',')
      const channels = Number(count)
      if (channels > 0) formats.set(line, { channels, layout: layoutOf(name) })
    },
  })
  return [...formats.values()]
}

/** Whether ffmpeg failed because of `refuseChangedSound`. */
export function isChangedSound(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : undefined
  return cause instanceof Error && cause.message.includes('Changing audio frame properties on the fly')
}

/** The format with the most channels. */
export function widestOf([first, ...others]: readonly SoundFormat[]): SoundFormat | undefined {
  return first && others.reduce((widest, format) => (format.channels > widest.channels ? format : widest), first)
}
