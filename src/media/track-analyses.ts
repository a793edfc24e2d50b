import type { Ffmpeg, FfmpegInput } from '../core/ffmpeg.ts'
import type { Segment } from '../core/segments.ts'
import type { Models } from '../models/models.ts'
import type { Cores } from './sound/decode-audio.ts'
import type { JobMedia } from './source/media-source.ts'

export interface TrackRequest {
  /** Its index among the audio tracks; 0 for the video track, which is the only one that is read. */
  readonly track: { readonly index: number }
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

/** What models find in a track, as it is stored: JSON, compressed. */
export interface TrackAnalysisKind<Value> {
  readonly name: string
  /** Of the file's layout, and of how it is found. No kind has the number of another, nor of envelopes. */
  readonly format: number
  /** Checks a value that was stored. One of a day has millions of numbers. */
  readonly parse: (stored: unknown) => Promise<Value>
  /** The part of the value that is in the window. Undefined if it is not good enough for the window. */
  readonly within: (value: Value, window: Segment) => Value | undefined
}

export interface AnalysisTools {
  readonly media: JobMedia
  readonly ffmpeg: Ffmpeg
  readonly cores: Cores
  readonly models: Models
  readonly signal: AbortSignal
}

export interface AnalyseInput extends AnalysisTools, Omit<TrackRequest, 'track'> {
  readonly input: FfmpegInput
  readonly trackIndex: number
}

/** Analyses that are made on request. */
export function madeAnalyses<Value>(
  tools: AnalysisTools,
  make: (input: AnalyseInput) => Promise<Value>,
): TrackAnalyses<Value> {
  return {
    get: async ({ track, ...request }) => {
      const { media } = tools
      const input = (await media.open()).input(media.info.format)
      return { value: await make({ ...tools, ...request, input, trackIndex: track.index }), analysis: 'computed' }
    },
  }
}
