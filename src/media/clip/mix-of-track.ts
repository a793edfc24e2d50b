import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { ClipFormat } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import type { SourceAudio, Tracks } from '../inspect/tracks.ts'
import { measureChannels } from '../sound/measure-channels.ts'
import { mixFilters, needsMix } from './channel-mix.ts'
import { type UnevenSound, widestTrack } from './uneven-sound.ts'

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

/** The filters that mix a track of more channels than the format has. Measures the track for it. */
export async function mixOf(
  { tracks, ffmpeg, signal }: MixTools,
  { format, track: source, window }: MixedTrack,
  sound: UnevenSound,
): Promise<string[]> {
  const track = widestTrack(source, sound)
  if (!needsMix(format, track)) return []
  const trackIndex = tracks.audio.findIndex(({ streamIndex }) => streamIndex === track.streamIndex)
  const isChanging = sound.changing.has(track.streamIndex)
  const input = { input: tracks.input, trackIndex, track, isChanging, ffmpeg, signal }
  return mixFilters(format, track, await measureChannels(input, window))
}
