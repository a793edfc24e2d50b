import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { MediaInfo } from '../../core/media.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import type { PieceFolder } from '../pieces/obtain-piece.ts'
import type { JobMedia } from '../source/media-source.ts'
import { type ChosenTrack, chooseTracks } from './choose-tracks.ts'
import type { Cores } from './cores.ts'
import { type Envelope, type Stretch, stretchAround } from './envelope.ts'
import { type MeasureInput, measureEnvelope, measurePiece, restoreEnvelope } from './measure-envelope.ts'

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
  /** Whether an earlier analysis answers the request. */
  isReusable(request: EnvelopeRequest): Promise<boolean>
  /** Measures and stores one of the pieces of a very long window (`splitStretch`), which `get` then finds. */
  measurePiece(request: EnvelopeRequest, piece: Stretch): Promise<void>
}

export interface MeasuredInput {
  readonly media: JobMedia
  readonly ffmpeg: Ffmpeg
  readonly cores: Cores
  readonly signal: AbortSignal
  /** The pieces of very long windows. */
  readonly storedIn?: PieceFolder
}

/** Envelopes that are measured on request. */
export function measuredEnvelopes({ media, ...tools }: MeasuredInput): Envelopes {
  const inputFor = async ({ track, window, onProgress = () => {} }: EnvelopeRequest): Promise<MeasureInput> => {
    const source = await media.open()
    // Each track is decoded in a pass of its own, so the bytes of several tracks are read again.
    const input = source.input(media.info.format, { cache: media.info.audio.length > 1 })
    return { ...tools, input, trackIndex: track.index, track, stretch: stretchAround(window), onProgress }
  }
  return {
    get: async (request) => {
      const { track, window } = request
      const stored = await restoreEnvelope({ ...tools, trackIndex: track.index, stretch: stretchAround(window) })
      return { envelope: stored ?? (await measureEnvelope(await inputFor(request))), analysis: 'computed' }
    },
    isReusable: async () => false,
    measurePiece: async (request, piece) => void (await measurePiece(await inputFor(request), piece)),
  }
}

export interface ChosenTracks {
  readonly info: MediaInfo
  /** The `audio_track` setting. */
  readonly choice: 'default' | 'all' | number
  readonly window: Segment
}

export interface TrackEnvelopesInput extends ChosenTracks {
  readonly envelopes: Envelopes
  /** 0 to 1 over all tracks. */
  readonly reportProgress: (fraction: number) => void
}

export interface TrackEnvelopes {
  readonly tracks: readonly Envelope[]
  /** `reused` if no track was decoded. */
  readonly analysis: FoundEnvelope['analysis']
}

/** An hour of a track takes 9 MB of memory. */
const maxAnalysedSeconds = 24 * 3_600

/** The envelope of each chosen track. Throws `media_too_large` if they are longer than a day in total. */
export function requestsOf({ info, choice, window }: ChosenTracks): EnvelopeRequest[] {
  const chosen = chooseTracks(info, choice)
  if (chosen.length * durationOf(window) > maxAnalysedSeconds) {
    throw new ServiceError(
      'media_too_large',
      'One job analyses at most 24 hours of audio, summed over all tracks. Set start and end, or choose one audio_track.',
    )
  }
  return chosen.map((track) => ({ track, window }))
}

/** Envelopes of the chosen tracks, one after the other. */
export async function getTrackEnvelopes(input: TrackEnvelopesInput): Promise<TrackEnvelopes> {
  const { envelopes, reportProgress } = input
  const requests = requestsOf(input)
  const found: FoundEnvelope[] = []
  for (const request of requests) {
    const onProgress = (fraction: number) => reportProgress((found.length + fraction) / requests.length)
    found.push(await envelopes.get({ ...request, onProgress }))
  }
  return {
    tracks: found.map(({ envelope }) => envelope),
    analysis: found.every(({ analysis }) => analysis === 'reused') ? 'reused' : 'computed',
  }
}
