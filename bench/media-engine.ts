import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createCores } from '../src/media/envelope/cores.ts'
import { stretchAround } from '../src/media/envelope/envelope.ts'
import { decodeEnvelope, encodeEnvelope } from '../src/media/envelope/format.ts'
import { measureEnvelope } from '../src/media/envelope/measure-envelope.ts'
import { findSilences } from '../src/media/envelope/silences.ts'
import { createFfmpeg } from '../src/media/ffmpeg.ts'
import { inspectMedia } from '../src/media/inspect.ts'
import { fileSource } from '../src/media/source/media-source.ts'
import { percentile } from './percentile.ts'

export interface EngineInput {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  /** A long file with one audio track. */
  readonly file: string
  readonly rounds: number
}

/** Medians in milliseconds, measured in turns, so that all meet the same machine. */
export type EngineTimes = Readonly<Record<'cold' | 'silencedetect' | 'decode' | 'demux' | 'warm', number>>

/** Silences of a whole file: with an envelope made now, with one that is kept, and beside what bare ffmpeg takes. */
export async function measureEngine({ ffmpegPath, ffprobePath, file, rounds }: EngineInput): Promise<EngineTimes> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-timeline-engine-'))
  const ffmpeg = createFfmpeg({ ffmpegPath, ffprobePath, processDir: folder })
  const { signal } = new AbortController()
  const info = await inspectMedia(await fileSource(file), ffmpeg, signal)
  const [track] = info.audio
  if (!track) throw new Error('the file has no audio track')
  const window = { start: 0, end: info.durationSeconds }
  const cores = createCores(availableParallelism())
  const silence = { window, amplitude: 0.0178, minSilenceSeconds: 0.5 }
  const bare = (...options: string[]) =>
    promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', '-i', file, '-vn', ...options, '-f', 'null', '-'])
  let kept: Buffer = Buffer.alloc(0)

  const ways: Readonly<Record<keyof EngineTimes, () => Promise<unknown>>> = {
    silencedetect: () => bare('-af', 'silencedetect=n=-35dB:d=0.5'),
    cold: () =>
      cores.use(async () => {
        const input = { path: file, format: info.format }
        const stretch = stretchAround(window)
        const onProgress = () => {}
        const envelope = await measureEnvelope({
          input,
          trackIndex: 0,
          track,
          stretch,
          ffmpeg,
          cores,
          signal,
          onProgress,
        })
        findSilences(envelope, silence)
        kept = encodeEnvelope(envelope)
      }),
    decode: () => bare(),
    demux: () => bare('-c', 'copy'),
    warm: async () => findSilences(decodeEnvelope(kept), silence),
  }
  const times = new Map<string, number[]>()
  try {
    for (let round = -1; round < rounds; round++) {
      for (const [way, work] of Object.entries(ways)) {
        const start = performance.now()
        await work()
        // The first round warms caches up.
        if (round >= 0) times.set(way, [...(times.get(way) ?? []), performance.now() - start])
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const median = (way: keyof EngineTimes) => percentile(times.get(way) ?? [], 0.5)
  return {
    cold: median('cold'),
    silencedetect: median('silencedetect'),
    decode: median('decode'),
    demux: median('demux'),
    warm: median('warm'),
  }
}
