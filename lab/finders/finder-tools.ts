import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Context } from '../../scripts/main.ts'
import type { Ffmpeg } from '../../src/core/ffmpeg.ts'
import { inspectMedia } from '../../src/media/inspect/inspect.ts'
import { createCores } from '../../src/media/sound/decode-audio.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import type { AnalyseInput } from '../../src/media/track-analyses.ts'
import type { Models } from '../../src/models/models.ts'

/** What measures with the real tools and models. */
export interface FinderTools {
  readonly context: Context
  /** For the media that it makes; deleted afterwards. */
  readonly workDir: string
  readonly ffmpegPath: string
  readonly ffmpeg: Ffmpeg
  readonly models: Models
  readonly say: (message: string) => void
}

/** The first track of a file, whole, as finders read it. */
export async function wholeTrack({ ffmpeg, models }: FinderTools, file: string): Promise<AnalyseInput> {
  const signal = new AbortController().signal
  const source = await fileSource(file)
  const info = await inspectMedia(source, ffmpeg, signal)
  return {
    ...{ ffmpeg, models, signal, input: source.input(info.format), trackIndex: 0, cores: createCores(1) },
    media: { info, open: async () => source },
    window: { start: 0, end: info.durationSeconds },
    onProgress: () => {},
  }
}

/** Bare ffmpeg, for media that experiments make. */
export async function runFfmpeg({ ffmpegPath }: FinderTools, args: readonly string[]): Promise<void> {
  await promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', '-y', ...args])
}

/** Sound as the models read it. */
export async function convertSound(tools: FinderTools, input: readonly string[], output: string): Promise<void> {
  await runFfmpeg(tools, [...input, '-vn', '-ac', '1', '-ar', '16000', output])
}
