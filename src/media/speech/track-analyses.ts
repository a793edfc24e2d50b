import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { Segment } from '../../core/segments.ts'
import type { Models } from '../../models/models.ts'
import type { ChosenTrack } from '../sound/choose-tracks.ts'
import type { Cores } from '../sound/cores.ts'
import type { TrackInput } from '../sound/decode-audio.ts'
import type { JobMedia } from '../source/media-source.ts'

export interface TrackRequest {
  readonly track: ChosenTrack
  /** In seconds. */
  readonly window: Segment
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

export interface FoundAnalysis<Value> {
  readonly value: Value
  /** `reused` if it comes from an earlier job. */
  readonly analysis: 'computed' | 'reused'
}

/** What models find in the tracks of one media. */
export interface TrackAnalyses<Value, Request extends TrackRequest = TrackRequest> {
  get(request: Request): Promise<FoundAnalysis<Value>>
}

export interface AnalysisTools {
  readonly media: JobMedia
  readonly ffmpeg: Ffmpeg
  readonly cores: Cores
  readonly models: Models
  readonly signal: AbortSignal
}

export interface AnalyseInput extends Omit<TrackInput, 'track'>, Omit<TrackRequest, 'track'> {
  readonly cores: Cores
  readonly models: Models
}

/** Analyses that are made on request. */
export function madeAnalyses<Value>(
  { media, ...tools }: AnalysisTools,
  make: (input: AnalyseInput) => Promise<Value>,
): TrackAnalyses<Value> {
  return {
    get: async ({ track, ...request }) => {
      const input = (await media.open()).input(media.info.format)
      return { value: await make({ ...tools, ...request, input, trackIndex: track.index }), analysis: 'computed' }
    },
  }
}
