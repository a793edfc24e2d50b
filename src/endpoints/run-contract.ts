import type { Ffmpeg } from '../core/ffmpeg.ts'
import type { PieceStore } from '../media/clip/render-pieces.ts'
import type { Cores } from '../media/sound/cores.ts'
import type { Envelopes } from '../media/sound/envelopes.ts'
import type { JobMedia } from '../media/source/media-source.ts'
import type { SpeechModel } from '../media/speech/speech-model.ts'
import type { JobWindow } from './job-window.ts'

/** What an endpoint's `run` gets: media that was inspected and meets the declared needs, and parsed settings. */
export interface RunContext<Settings> {
  readonly media: JobMedia
  /** Measured now, or by an earlier job. */
  readonly envelopes: Envelopes
  /** Detects speech, where it is installed. */
  readonly speechModel?: () => Promise<SpeechModel | undefined>
  readonly ffmpeg: Ffmpeg
  /** The worker's cores. A run owns one and may borrow idle ones. */
  readonly cores: Cores
  /** Finished pieces of a long render, which survive this attempt. */
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
  /** The length that is billed; never above `billableMilliseconds` of the same job. */
  readonly billedMilliseconds: number
}
