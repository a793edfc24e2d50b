import type { Readable } from 'node:stream'
import type { MediaFormat } from './media.ts'

/** Media that is opened with the flags for untrusted media of its format. */
export interface FfmpegInput {
  /** Of a local file, or the loopback address of what is served. */
  readonly path: string
  readonly format: MediaFormat
  readonly served?: ServedInput
}

/** Media that this process fetches while the tools read it. */
export interface ServedInput {
  /** Aborts with the error where it could not be fetched: the call throws that, whatever the tools made of the rest. */
  readonly failed: AbortSignal
  /** How long bytes were waited for so far, which counts against no deadline: sources have time limits of their own. */
  waitedMs(): number
}

/** What another step makes while it is read, on standard input. */
export interface FfmpegStream {
  readonly stream: Readable
  readonly format: 'wav'
}

/** A list, in the syntax of ffmpeg's concat demuxer, of MP4 files that lie beside it: only ever written by ourselves. */
export interface FfmpegPieces {
  readonly path: string
  readonly format: 'pieces'
}

interface Supervised {
  /** Ends the process; the call then throws the signal's reason, after the exit. */
  readonly signal: AbortSignal
  /** The process is ended after this long, with `timed_out`. */
  readonly deadlineSeconds: number
}

export interface FfmpegRun extends Supervised {
  readonly input: FfmpegInput | FfmpegStream | FfmpegPieces
  /** Inputs after the first. */
  readonly moreInputs?: readonly (FfmpegInput | FfmpegPieces)[]
  /** Options of the input besides the flags, such as a seek. */
  readonly inputOptions?: readonly string[]
  readonly outputOptions: readonly string[]
  /** A path, or what takes the bytes of standard output, in order; no more are read before its promise is kept. */
  readonly output: string | ((chunk: Buffer) => void | Promise<void>)
  /** `media_too_large` when the output file reaches it. */
  readonly maxBytes?: number
  /** Seconds of output made so far. */
  readonly onProgress?: (seconds: number) => void
}

export interface FfprobeRun extends Supervised {
  readonly input: FfmpegInput
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
