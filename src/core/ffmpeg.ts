import type { MediaFormat } from './media.ts'

/** A local file, opened with the flags for untrusted media of its format. */
export interface FfmpegInput {
  readonly path: string
  readonly format: MediaFormat
}

interface Supervised {
  readonly input: FfmpegInput
  /** Ends the process; the call then throws the signal's reason, after the exit. */
  readonly signal: AbortSignal
  /** The process is ended after this long, with `timed_out`. */
  readonly deadlineSeconds: number
}

export interface FfmpegRun extends Supervised {
  /** Options of the input besides the flags, such as a seek. */
  readonly inputOptions?: readonly string[]
  readonly outputOptions: readonly string[]
  /** A path, or what takes the bytes of standard output, in order, before more are read. */
  readonly output: string | ((chunk: Buffer) => void)
  /** `media_too_large` when the output file reaches it. */
  readonly maxBytes?: number
  /** Seconds of output made so far. */
  readonly onProgress?: (seconds: number) => void
}

export interface FfprobeRun extends Supervised {
  readonly options: readonly string[]
  /** Takes standard output line by line. */
  readonly onLine: (line: string) => void
}

/**
 * Runs the media tools, one process a call, and returns when that process is gone.
 * Throws `processing_failed` where they cannot work on the media, `server_error` where this machine is at fault.
 */
export interface Ffmpeg {
  run(options: FfmpegRun): Promise<void>
  probe(options: FfprobeRun): Promise<void>
}
