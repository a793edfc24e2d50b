import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Ffmpeg } from '../../src/core/ffmpeg.ts'
import type { Segment } from '../../src/core/segments.ts'
import { inspectMedia } from '../../src/media/inspect/inspect.ts'
import { createCores } from '../../src/media/sound/decode-audio.ts'
import { stretchAround } from '../../src/media/sound/envelope.ts'
import { measureEnvelope } from '../../src/media/sound/envelopes.ts'
import { findSilences } from '../../src/media/sound/silences.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import type { TalkFilm } from './talk-film.ts'

export interface EngineBench {
  readonly ffmpeg: Ffmpeg
  readonly ffmpegPath: string
  readonly cores: number
}

const amplitude = 10 ** (-35 / 20)
const minSilenceSeconds = 0.5

/** Bare ffmpeg on a file's audio: `silencedetect`, only decoding, only reading. */
export function bareListening(ffmpegPath: string, file: string) {
  const listen = (...options: string[]) =>
    promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', '-i', file, '-vn', ...options, '-f', 'null', '-'])
  return {
    silencedetect: () => listen('-af', `silencedetect=n=-35dB:d=${minSilenceSeconds}`),
    decode: () => listen(),
    demux: () => listen('-c', 'copy'),
  }
}

export interface EngineRun {
  /** The number of the talk's pauses that were found. */
  readonly found: number
  readonly of: number
  readonly worstMs: number
}

/** The engine alone, as a job uses it: measures the envelope of the whole file, and compares its silences with the truth. */
export async function listen({ ffmpeg, cores }: EngineBench, file: string, { pauses }: TalkFilm): Promise<EngineRun> {
  const { signal } = new AbortController()
  const source = await fileSource(file)
  const info = await inspectMedia(source, ffmpeg, signal)
  const [track] = info.audio
  if (!track) throw new Error('the file has no audio track')
  const window = { start: 0, end: info.durationSeconds }
  const shared = createCores(cores)
  const envelope = await shared.use(() =>
    measureEnvelope({
      ...{ input: source.input(info.format), trackIndex: 0, track, stretch: stretchAround(window) },
      ...{ ffmpeg, cores: shared, signal, onProgress: () => {} },
    }),
  )
  const silences = await findSilences(envelope, { window, amplitude, minSilenceSeconds })
  return compareWithPauses(silences, pauses)
}

/** How many of the known pauses were found, and how far an edge is off at most. */
export function compareWithPauses(silences: readonly Segment[], pauses: readonly Segment[]): EngineRun {
  const errors = pauses.flatMap(({ start, end }) => {
    const nearest = silences.find((silence) => silence.start < end && silence.end > start)
    return nearest ? [Math.max(Math.abs(nearest.start - start), Math.abs(nearest.end - end)) * 1000] : []
  })
  return { found: errors.length, of: pauses.length, worstMs: Math.max(0, ...errors) }
}
