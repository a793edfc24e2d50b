import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Context } from '../../scripts/main.ts'
import type { Ffmpeg } from '../../src/core/ffmpeg.ts'
import { inspectMedia } from '../../src/media/inspect/inspect.ts'
import { chooseTrack, createCores } from '../../src/media/sound/decode-audio.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import { decodeStretch } from '../../src/media/speech/find-speech.ts'
import type { AnalyseInput } from '../../src/media/track-analyses.ts'
import { type Models, modelSampleRate } from '../../src/models/models.ts'

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

/** The samples of a file's first track, as the models read them. */
export async function readSamples(tools: FinderTools, file: string): Promise<Float32Array> {
  const playable = path.join(tools.workDir, 'playable.wav')
  await convertSound(tools, ['-i', file], playable)
  const track = await wholeTrack(tools, playable)
  return (await decodeStretch({ ...track, track: chooseTrack(track.media.info, 'default') }, track.window)).samples
}

/** Writes a WAV of parts, one after the other, at the rate of the models. */
export async function writeSamples(tools: FinderTools, parts: readonly Float32Array[], file: string): Promise<void> {
  const raw = `${file}.f32`
  await writeFile(raw, Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))))
  await convertSound(tools, ['-f', 'f32le', '-ar', String(modelSampleRate), '-ac', '1', '-i', raw], file)
}

/** Returns numbers of 0 to 1, the same for the same seed, by the generator of `minstd_rand`. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
