import type { Ffmpeg } from '../core/ffmpeg.ts'
import type { MediaFormat } from '../core/media.ts'
import type { MediaSource } from './source/media-source.ts'
import { readTracks, type Tracks } from './tracks.ts'

/** What was read of sources that are open: one that is fetched stays so from one step of a job to the next. */
const known = new WeakMap<MediaSource, Tracks>()

/** The tracks of a source, read once. */
export async function sourceTracks(
  source: MediaSource,
  format: MediaFormat,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Tracks> {
  const input = source.input(format)
  const tracks = known.get(source) ?? (await readTracks(input, ffmpeg, signal))
  known.set(source, tracks)
  return { ...tracks, input }
}
