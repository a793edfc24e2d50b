import type { OpenBrand } from '../core/brand.ts'
import type { Ffmpeg } from '../core/ffmpeg.ts'
import type { MediaInfo } from '../core/media.ts'
import type { Passage } from '../core/passages.ts'
import type { JobWindow } from '../core/segments.ts'
import type { FoundFrames } from '../media/frames/choose-frames.ts'
import type { ScreenText } from '../media/frames/text-reader.ts'
import type { PieceStore } from '../media/obtain-piece.ts'
import type { Cores } from '../media/sound/decode-audio.ts'
import type { Envelopes } from '../media/sound/envelopes.ts'
import type { JobMedia } from '../media/source/media-source.ts'
import type { TrackTags } from '../media/speech/tag-track.ts'
import type { TopicGaps, TopicGapsRequest } from '../media/speech/topic-gaps.ts'
import type { Transcript } from '../media/speech/transcribe-track.ts'
import type { TrackAnalyses } from '../media/track-analyses.ts'
import type { Models } from '../models/models.ts'
import type { EarlierWords } from './define-timeline-endpoint.ts'

/** Names of files from outside. */
export interface MediaNames {
  readonly earlier: string
  readonly own: string
}

/** What an endpoint's `run` receives: media that was inspected and meets the declared needs, and parsed settings. */
export interface RunContext<Settings> {
  /** Not to be used by a job that reads uploads in its place. */
  readonly media: JobMedia
  /** Measured now, or by an earlier job. */
  readonly envelopes: Envelopes
  /** Made now, or by an earlier job. */
  readonly transcripts: TrackAnalyses<Transcript>
  readonly soundTags: TrackAnalyses<TrackTags>
  readonly topicGaps: TrackAnalyses<TopicGaps, TopicGapsRequest>
  readonly screenTexts: TrackAnalyses<ScreenText>
  /** Of the picture, whose track has the index 0. */
  readonly foundFrames: TrackAnalyses<FoundFrames>
  /** Those that are installed: the declared ones and others. */
  readonly models: Models
  readonly ffmpeg: Ffmpeg
  /** The result of a completed job of the same account that the job's credential can see. Throws `not_found` for other jobs. */
  readonly earlierResult: (jobId: string) => Promise<unknown>
  /** The words of such a job of `audio/find-words`, however many there are. Throws `invalid_request` if its files are deleted. */
  readonly earlierWords: (jobId: string) => Promise<Pick<EarlierWords, 'words'>>
  /** The names of the media of such a job and of this job's, if they seem to be different recordings. */
  readonly otherMedia: (jobId: string) => Promise<MediaNames | undefined>
  /** The path of a picture that the account uploaded. Throws `not_found` if it was deleted. */
  readonly uploadedPicture: (uploadId: string) => Promise<string>
  /** A brand of the account. Throws `not_found` if it, or one of its uploads, was deleted. */
  readonly brand: (brandId: string) => Promise<OpenBrand>
  /** The worker's cores. A run owns one and may borrow idle ones. */
  readonly cores: Cores
  /** Finished pieces of long work, of this attempt, earlier ones and the job's parts. */
  readonly pieces: PieceStore
  readonly window: JobWindow
  readonly settings: Settings
  /** An empty folder for output files; its owner deletes it. */
  readonly workDir: string
  /** Aborts when the job is canceled or the worker stops: end every process, wait for its exit, then throw. */
  readonly signal: AbortSignal
  /** The finished fraction of this run's work, 0 to 1. */
  readonly reportProgress: (fraction: number) => void
}

export interface OutputFile {
  readonly path: string
  /** Unique among the files of the run. People see a name that is made of the source's and the label. */
  readonly fileName: string
  /** What it is, such as `clip-1m15s`. The fileName's stem when left out. */
  readonly label?: string
  /** The shape that was asked for, such as `9x16-720p`: names contain it. */
  readonly shape?: string
  /** A preview appears beside the result, or beside the file before it; other files are the result. */
  readonly role?: 'preview'
  readonly contentType: string
  readonly durationSeconds: number
  readonly width: number | null
  readonly height: number | null
}

export interface RunOutput<Result> {
  readonly result: Result
  readonly files: readonly OutputFile[]
  /** What the caller should know about the media. Added to the job's warnings. */
  readonly warnings?: readonly string[]
  /** For the search: `defineEndpoint` adds what the endpoint declares as its text. */
  readonly passages?: readonly Passage[]
  /** The length that is billed; never above `billableMilliseconds` of the same job. */
  readonly billedMilliseconds: number
}

/** What a search with other settings receives: the sound that an earlier job of the endpoint measured. */
export interface SearchContext<Settings> extends Pick<RunContext<Settings>, 'settings' | 'window'> {
  readonly info: MediaInfo
  readonly envelopes: Pick<Envelopes, 'get'>
}

/**
 * How the work of a long job splits into parts that run on every worker. Each part leaves what it makes in `pieces`. The endpoint's
 * `run` finds it there and makes what is missing, so that it returns the same with and without parts.
 */
export interface EndpointParts<Settings> {
  /** Returns the seconds of each part, as its share of the progress; none if one run is as fast. Equal for the same job and media. */
  plan(context: RunContext<Settings>): Promise<readonly number[]>
  /** Does the work of the part at this index. Repeating it changes nothing. */
  run(context: RunContext<Settings>, part: number): Promise<void>
}
