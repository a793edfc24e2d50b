import type { Ffmpeg } from '../core/ffmpeg.ts'
import type { MediaInfo } from '../core/media.ts'
import type { Segment } from '../core/segments.ts'
import { type ChosenTrack, chooseTracks } from './choose-tracks.ts'
import { decodeAudio } from './pcm.ts'

export interface Scanner<Found> {
  /** Takes interleaved samples, whole frames. */
  push(samples: Int16Array): void
  finish(): Found
}

export interface ScanInput {
  readonly media: { readonly path: string; readonly info: MediaInfo }
  readonly choice: 'default' | 'all' | number
  readonly window: Segment
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** 0 to 1 over all tracks. */
  readonly reportProgress: (fraction: number) => void
}

/** What a scanner of its own finds in the window of each chosen track; times count from the window's start. */
export async function scanTracks<Found>(
  { media, choice, window, ffmpeg, signal, reportProgress }: ScanInput,
  createScanner: (track: ChosenTrack) => Scanner<Found>,
): Promise<Found[]> {
  const tracks = chooseTracks(media.info, choice)
  const found: Found[] = []
  for (const track of tracks) {
    const scanner = createScanner(track)
    await decodeAudio({
      input: { path: media.path, format: media.info.format },
      trackIndex: track.index,
      track,
      window,
      ffmpeg,
      signal,
      onSamples: scanner.push,
      onProgress: (fraction) => reportProgress((found.length + fraction) / tracks.length),
    })
    found.push(scanner.finish())
  }
  return found
}
