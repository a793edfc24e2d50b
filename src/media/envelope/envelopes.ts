import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { MediaInfo } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import type { ChosenTrack } from '../choose-tracks.ts'
import type { MediaSource } from '../source/media-source.ts'
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
  readonly analysis: 'computed' | 'reused'
}

/** Where envelopes of one media come from. */
export interface Envelopes {
  get(request: EnvelopeRequest): Promise<FoundEnvelope>
}

export interface MeasuringOptions {
  readonly media: { readonly info: MediaInfo; readonly open: () => Promise<MediaSource> }
  readonly ffmpeg: Ffmpeg
  readonly cores: Cores
  readonly signal: AbortSignal
}

/** Envelopes that are measured when they are asked for. */
export function measuredEnvelopes({ media, ffmpeg, cores, signal }: MeasuringOptions): Envelopes {
  return {
    get: async ({ track, window, onProgress = () => {} }) => {
      const source = await media.open()
      // Of several tracks, each is decoded in a pass of its own.
      const input = source.input(media.info.format, media.info.audio.length > 1 ? 'kept' : 'passing')
      const stretch = stretchAround(window)
      const envelope = await measureEnvelope({
        ...{ input, trackIndex: track.index, track, stretch, ffmpeg, cores, signal, onProgress },
      })
      return { envelope, analysis: 'computed' }
    },
  }
}
