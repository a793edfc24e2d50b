import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { ClipFormat } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import type { SoundFormat, SourceAudio, Tracks } from '../inspect/tracks.ts'
import { type ChannelMeasures, measureChannels } from '../sound/measure-channels.ts'
import { containers } from './encoders.ts'
import { type UnevenSound, widestTrack } from './uneven-sound.ts'

// Clips of fewer channels than their source.

/** The channels of ffmpeg's layouts, in their order: libavutil/channel_layout.c. */
const layouts: Readonly<Record<string, string>> = {
  '2.1': 'FL FR LFE',
  '3.0': 'FL FR FC',
  '3.0(back)': 'FL FR BC',
  '4.0': 'FL FR FC BC',
  quad: 'FL FR BL BR',
  'quad(side)': 'FL FR SL SR',
  '3.1': 'FL FR FC LFE',
  '5.0': 'FL FR FC BL BR',
  '5.0(side)': 'FL FR FC SL SR',
  '4.1': 'FL FR FC LFE BC',
  '5.1': 'FL FR FC LFE BL BR',
  '5.1(side)': 'FL FR FC LFE SL SR',
  '6.0': 'FL FR FC BC SL SR',
  '6.1': 'FL FR FC LFE BC SL SR',
  '6.1(back)': 'FL FR FC LFE BL BR BC',
  '7.0': 'FL FR FC BL BR SL SR',
  '7.1': 'FL FR FC LFE BL BR SL SR',
  '7.1(wide)': 'FL FR FC LFE BL BR FLC FRC',
  '7.1(wide-side)': 'FL FR FC LFE FLC FRC SL SR',
}

/** −3 dB, as in ITU-R BS.775-4, annex 4. */
const half = Math.SQRT1_2

/** The most channels that clips of the format have. */
function maxChannels(format: ClipFormat): number {
  const { audio } = containers[format]
  if (audio === 'mp3') return 2
  return audio.startsWith('pcm') ? Number.POSITIVE_INFINITY : 8
}

function needsMix(format: ClipFormat, { channels }: SoundFormat): boolean {
  return channels > maxChannels(format)
}

/** How the channels of a track are mixed. */
interface ChannelMix {
  readonly filters: readonly string[]
  /** Channels were turned over, because they would have cancelled others. */
  readonly hasInverted: boolean
}

const noMix: ChannelMix = { filters: [], hasInverted: false }

/** Mixes the channels of a track into those of the format, without clipping. */
function mixChannels(format: ClipFormat, sound: SoundFormat, measured: ChannelMeasures): ChannelMix {
  const rows = mixGains(maxChannels(format), sound, measured)
  const texts = rows.map((gains, output) => {
    const parts = gains.flatMap((gain, channel) => (gain === 0 ? [] : [`${gain.toFixed(4)}*c${channel}`]))
    return `|c${output}=${parts.join('+').replaceAll('+-', '-') || '0*c0'}`
  })
  const filters = [
    `aformat=sample_fmts=fltp:channel_layouts=${sound.channels}C`,
    `pan=${rows.length === 2 ? 'stereo' : '7.1'}${texts.join('')}`,
    // The sum of several channels can exceed full scale.
    'alimiter=limit=0.8913:attack=5:release=50:level=false:latency=true',
  ]
  return { filters, hasInverted: rows.flat().some((gain) => gain < 0) }
}

/** For each output, the gain of each channel: negative for one that would cancel others. */
function mixGains(outputs: number, sound: SoundFormat, measured: ChannelMeasures): number[][] {
  const gains = outputs === 2 ? stereoGains(sound, measured) : foldedGains(outputs, sound)
  const signs = signsOf(gains, measured.covariance)
  return gains.map((row) => row.map((gain, channel) => gain * (signs[channel] ?? 1)))
}

function stereoGains({ channels, layout = '' }: SoundFormat, { hasVoice }: ChannelMeasures): number[][] {
  const names = layouts[layout]?.split(' ') ?? []
  const gains = Array.from({ length: channels }, (_, channel) => {
    const name = names.length === channels ? names[channel] : undefined
    // Bass adds nothing that small speakers play. Recorders use its place for microphones too.
    return name === 'LFE' && !hasVoice[channel] ? [0, 0] : sidesOf(name)
  })
  return [0, 1].map((side) => gains.map((gain) => gain[side] ?? 0))
}

/** On the left and on the right. Where the file does not say where a channel is heard, it is heard on both sides. */
function sidesOf(name = ''): readonly number[] {
  if (name === 'BC') return [0.5, 0.5]
  const gain = name === 'FL' || name === 'FR' ? 1 : half
  if (name.endsWith('L') || name === 'FLC') return [gain, 0]
  return name.endsWith('R') || name === 'FRC' ? [0, gain] : [half, half]
}

/** Channels beyond the last are added to the first ones. */
function foldedGains(outputs: number, { channels }: SoundFormat): number[][] {
  return Array.from({ length: outputs }, (_, output) =>
    Array.from({ length: channels }, (__, channel) => {
      if (channel % outputs !== output) return 0
      return channel < outputs ? 1 : half
    }),
  )
}

/** Of the energy that channels have together, what less of their sum says that they cancel each other. */
const cancelledShare = 0.5

/** Inverts channels as long as an output loses most of its energy, and gains by it. */
function signsOf(gains: readonly (readonly number[])[], covariance: ChannelMeasures['covariance']): number[] {
  const signs = covariance.map(() => 1)
  const energyOf = (row: readonly number[], isSum: boolean) =>
    row.reduce((sum, gain, a) => {
      const others = isSum ? row : row.map((each, b) => (a === b ? each : 0))
      const heard = (each: number, b: number) => each * (signs[b] ?? 1) * (covariance[a]?.[b] ?? 0)
      return sum + gain * (signs[a] ?? 1) * others.reduce((total, each, b) => total + heard(each, b), 0)
    }, 0)
  const total = () => gains.reduce((sum, row) => sum + energyOf(row, true), 0)
  const isCancelled = () => gains.some((row) => energyOf(row, true) < cancelledShare * energyOf(row, false))
  const invert = (channel: number) => {
    signs[channel] = -(signs[channel] ?? 1)
  }
  // The first channel stays as it is.
  for (let turn = 1; turn < signs.length && isCancelled(); turn++) {
    const now = total()
    const tried = signs.slice(1).map((_, index) => {
      invert(index + 1)
      const energy = total()
      invert(index + 1)
      return energy
    })
    const most = Math.max(...tried)
    if (most <= now) break
    invert(tried.indexOf(most) + 1)
  }
  return signs
}

interface MixTools {
  readonly tracks: Tracks
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

interface MixedTrack {
  readonly format: ClipFormat
  readonly track: SourceAudio
  /** On the media's clock. */
  readonly window: Segment
}

/** The mix of a track of more channels than the format has. Measures the track for it. */
export async function mixOf(
  { tracks, ffmpeg, signal }: MixTools,
  { format, track: source, window }: MixedTrack,
  sound: UnevenSound,
): Promise<ChannelMix> {
  const track = widestTrack(source, sound)
  if (!needsMix(format, track)) return noMix
  const trackIndex = tracks.audio.findIndex(({ streamIndex }) => streamIndex === track.streamIndex)
  const input = { input: tracks.input, trackIndex, track, isChanging: sound.isChanging, ffmpeg, signal }
  return mixChannels(format, track, await measureChannels(input, window))
}
