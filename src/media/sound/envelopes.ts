import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { MediaInfo } from '../../core/media.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import type { JobMedia } from '../source/media-source.ts'
import { type ChosenTrack, chooseTracks } from './choose-tracks.ts'
import type { Cores } from './cores.ts'
import { type Envelope, stretchAround } from './envelope.ts'
import { measureEnvelope } from './measure-envelope.ts'

export interface EnvelopeRequest {
  readonly track: ChosenTrack
  /** In seconds; the envelope covers it. */
  readonly window: Segment
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

export interface FoundEnvelope {
  readonly envelope: Envelope
  /** `reused` if the envelope comes from an earlier analysis. */
  readonly analysis: 'computed' | 'reused'
}

/** The envelopes of one media, measured or reused. */
export interface Envelopes {
  get(request: EnvelopeRequest): Promise<FoundEnvelope>
}

export interface MeasuredInput {
  readonly media: JobMedia
  readonly ffmpeg: Ffmpeg
  readonly cores: Cores
  readonly signal: AbortSignal
}

/** Envelopes that are measured on request. */
export function measuredEnvelopes({ media, ffmpeg, cores, signal }: MeasuredInput): Envelopes {
  return {
    get: async ({ track, window, onProgress = () => {} }) => {
      const source = await media.open()
      // Each track is decoded in a pass of its own, so the bytes of several tracks are read again.
      const input = source.input(media.info.format, { cache: media.info.audio.length > 1 })
      const stretch = stretchAround(window)
      const envelope = await measureEnvelope({
        ...{ input, trackIndex: track.index, track, stretch, ffmpeg, cores, signal, onProgress },
      })
      return { envelope, analysis: 'computed' }
    },
  }
}

export interface TrackEnvelopesInput {
  readonly info: MediaInfo
  /** The `audio_track` setting. */
  readonly choice: 'default' | 'all' | number
  readonly window: Segment
  readonly envelopes: Envelopes
  /** 0 to 1 over all tracks. */
  readonly reportProgress: (fraction: number) => void
}

export interface TrackEnvelopes {
  readonly tracks: readonly Envelope[]
  /** `reused` if no track was decoded. */
  readonly analysis: FoundEnvelope['analysis']
}

/** An hour of a track takes 9 MB of memory, and twice that while it is made or read. */
const maxAnalysedSeconds = 24 * 3_600

/** Envelopes of the chosen tracks, one after the other. Throws `media_too_large` if they are longer than a day in total. */
export async function getTrackEnvelopes(input: TrackEnvelopesInput): Promise<TrackEnvelopes> {
  const { info, choice, window, envelopes, reportProgress } = input
  const chosen = chooseTracks(info, choice)
  if (chosen.length * durationOf(window) > maxAnalysedSeconds) {
    throw new ServiceError(
      'media_too_large',
      'One job analyses at most 24 hours of audio, summed over all tracks. Set start and end, or choose one audio_track.',
    )
  }
  const found: FoundEnvelope[] = []
  for (const track of chosen) {
    const onProgress = (fraction: number) => reportProgress((found.length + fraction) / chosen.length)
    found.push(await envelopes.get({ track, window, onProgress }))
  }
  return {
    tracks: found.map(({ envelope }) => envelope),
    analysis: found.every(({ analysis }) => analysis === 'reused') ? 'reused' : 'computed',
  }
}
