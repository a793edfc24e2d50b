import type { Readable } from 'node:stream'
import type { MediaFormat, PictureFormat } from './media.ts'

/** The largest picture of H.264 at level 5.2. Encoding it takes up to 1.4 GB of memory. */
export const defaultMaxPixels = 4096 * 2304

/** Media or a picture, opened with the flags for untrusted media of its format. */
export interface FfmpegInput {
  /** The path of a local file, or the loopback address of a served source. */
  readonly path: string
  readonly format: MediaFormat | PictureFormat
  readonly served?: ServedInput
}

/** Media that this process downloads while the tools read it. */
export interface ServedInput {
  /** Aborts with the error of a failed download. The call then throws that error, whatever the tools did with the rest. */
  readonly failed: AbortSignal
  /** Milliseconds spent waiting for bytes so far. Deadlines do not count them: sources have their own time limits. */
  waitedMs(): number
  /** The account and the host that decide how long it waits. Empty for our storage, which is never slow. */
  readonly claimKeys: readonly string[]
}

/** Bytes for standard input that another step produces while ffmpeg reads them. */
export interface FfmpegStream {
  readonly stream: Readable
  readonly format: 'wav'
}

/** Pictures for standard input, one after another, four bytes a pixel: red, green, blue, opacity. ffmpeg counts them as one a second. */
export interface FfmpegPictures {
  readonly stream: Readable
  readonly format: 'pictures'
  readonly width: number
  readonly height: number
}

/** One such picture, in a file that this service wrote. */
export interface FfmpegPicture {
  readonly path: string
  readonly format: 'picture'
  readonly width: number
  readonly height: number
}

/** A list of MP4 or Matroska files beside it, in the syntax of ffmpeg's concat demuxer. Only this service writes such lists. */
export interface FfmpegPieces {
  readonly path: string
  readonly format: 'pieces'
}

/** Chapters, in the syntax of ffmpeg's metadata files. Only this service writes such files. */
export interface FfmpegChapters {
  readonly path: string
  readonly format: 'chapters'
}

interface Supervised {
  /** Ends the process. The call then throws the signal's reason, after the exit. */
  readonly signal: AbortSignal
  /** The process ends after this time, with `timed_out`. */
  readonly deadlineSeconds: number
}

/** An input after the first, with its options besides the flags. */
export type MoreInput = (FfmpegInput | FfmpegPieces | FfmpegPictures | FfmpegPicture | FfmpegChapters) & {
  readonly inputOptions?: readonly string[]
}

export interface FfmpegRun extends Supervised {
  readonly input: FfmpegInput | FfmpegStream | FfmpegPieces
  /** Inputs after the first. Only one of all can be a stream. The output gets the chapters of one with chapters, or none. */
  readonly moreInputs?: readonly MoreInput[]
  /** Options of the first input besides the flags, such as a seek. */
  readonly inputOptions?: readonly string[]
  readonly outputOptions: readonly string[]
  /** A path, or a function that receives the bytes of standard output in order. Reading waits for its promise. */
  readonly output: string | ((chunk: Buffer) => void | Promise<void>)
  /** The function is done with a chunk when it returns, or when its promise settles: all are then read into one buffer. */
  readonly keepsNoChunk?: boolean
  /** Pixels of the largest picture that is decoded or encoded; left out for sound alone. Its memory limit follows from it. */
  readonly pixels?: number
  /**
   * 1 for copying packets and decoding sound: a packet or frame takes less time than handing it to another core does (measured on
   * two virtual cores: half of the processor time). All cores if left out.
   */
  readonly cores?: 1
  /** Throws `media_too_large` when the output file reaches this size. */
  readonly maxBytes?: number
  /** Seconds of output made so far. */
  readonly onProgress?: (seconds: number) => void
}

export interface FfprobeRun extends Supervised {
  readonly input: FfmpegInput
  readonly options: readonly string[]
  /** Of processor time, for reading that takes more of it than counting the packets of a day does. */
  readonly cpuSeconds?: number
  /** Called with each line of standard output. */
  readonly onLine: (line: string) => void
}

/** What a successful run reports. */
export interface FfmpegOutcome {
  /** Errors that ffmpeg reported about the media: more than 0 where it is damaged. */
  readonly decodeErrors: number
}

/**
 * Runs the media tools, one process per call, and returns after that process has exited.
 * Throws `processing_failed` if they cannot process the media, `server_error` if this machine is at fault.
 */
export interface Ffmpeg {
  /** Pixels of the largest picture that they decode. */
  readonly maxPixels: number
  run(options: FfmpegRun): Promise<FfmpegOutcome>
  probe(options: FfprobeRun): Promise<void>
}
