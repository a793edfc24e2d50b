import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { promisify } from 'node:util'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import type { Segment } from '../../src/core/segments.ts'
import { inspectMedia } from '../../src/media/inspect/inspect.ts'
import { createCores } from '../../src/media/sound/decode-audio.ts'
import { stretchAround } from '../../src/media/sound/envelope.ts'
import { measureEnvelope } from '../../src/media/sound/envelopes.ts'
import { findSilences } from '../../src/media/sound/silences.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import { asSeconds, describeFigures, inTurns, percentile } from '../figures.ts'
import { jobsPerSecond, timeJob, withLabStack } from '../lab-stack.ts'
import { serveFilm } from './film-server.ts'
import type { HourOfFilm } from './hour.ts'

const endpoint = 'audio/detect-silence'
const bytesPerSecond = 100e6
const inFlight = 50

/** Silences of the film: the engine alone, whole jobs on new bytes, from a server and on known bytes, and bare ffmpeg. */
export async function measureDetection(hour: HourOfFilm): Promise<string> {
  const { context, folder, talk, ffmpegPath, memory } = hour
  const server = await serveFilm(talk.film, bytesPerSecond)
  const env = { ...noQuotas, MEDIA_ALLOW_HOSTS: server.host }
  try {
    return await withLabStack(context, { folder, env }, async ({ newClient }) => {
      const client = await newClient({ hasBilling: true })
      let silences: readonly Segment[] = []
      const times = await inTurns(3, {
        ...bareListening(ffmpegPath, talk.film),
        engine: async () => (silences = await silencesIn(hour, talk.film)),
        job: async () => (await timeJob(client, { endpoint, media_url: await client.upload(talk.film) })).milliseconds,
      })
      context.say('from a server')
      const streamed = await timeJob(client, { endpoint, media_url: server.url('streamed.mp4') })
      const { size } = statSync(talk.film)
      const transferMs = (size / bytesPerSecond) * 1000
      context.say('of known media')
      const media_url = await client.upload(talk.film)
      const again = (index: number) => ({ endpoint, media_url, settings: { threshold: -20 - (index % 40) } })
      const warm: number[] = []
      // The first ones warm caches up.
      for (let index = -5; index < 35; index++) {
        const { milliseconds } = await timeJob(client, again(index + 5))
        if (index >= 0) warm.push(milliseconds)
      }
      const perSecond = await jobsPerSecond(
        client,
        Array.from({ length: 400 }, (_, index) => again(index)),
        inFlight,
      )
      const truth = compareWithPauses(silences, talk.pauses)
      const figures = [
        { name: 'cold engine : bare silencedetect', value: times('engine') / times('bare'), goal: 0.85, unit: '×' },
        { name: 'cold job : bare silencedetect', value: times('job') / times('bare'), goal: 0.95, unit: '×' },
        { name: 'cold job over HTTP : transfer', value: streamed.milliseconds / transferMs, goal: 1.1, unit: '×' },
        { name: 'warm job, p50', value: percentile(warm, 0.5), goal: 150, unit: 'ms' },
        {
          ...{ name: `warm jobs, ${inFlight} in flight`, value: perSecond, goal: 25 },
          ...{ unit: 'a second', isFloor: true as const },
        },
        { name: 'largest resident set of the worker', value: memory.peak('worker'), goal: 400, unit: 'MiB' },
        { name: 'largest resident set of an ffmpeg', value: memory.peak('ffmpeg'), goal: 400, unit: 'MiB' },
      ]
      return `## Detection in an hour of film

A talk at 1080p. Each time is the median of runs in turns with bare ffmpeg of the same build.

${describeFigures(figures)}

| silences of the local file | seconds |
|---|---|
| bare \`silencedetect -vn\` | ${asSeconds(times('bare'))} |
| bare decoding | ${asSeconds(times('decode'))} |
| bare reading | ${asSeconds(times('demux'))} |
| the engine alone | ${asSeconds(times('engine'))} |
| a whole job, from POST to completed | ${asSeconds(times('job'))} |
| the same from a server, whose transfer takes ${asSeconds(transferMs)} | ${asSeconds(streamed.milliseconds)} |
| asked again, p50 and p95 | ${asSeconds(percentile(warm, 0.5))}, ${asSeconds(percentile(warm, 0.95))} |

Of ${talk.pauses.length} pauses ${truth.found} were found, at most ${truth.worstMs.toFixed(1)} ms off. Streamed, the server had sent ${(server.takeSentBytes() / size).toFixed(2)} times the file.
`
    })
  } finally {
    await server.close()
  }
}

/** Bare ffmpeg on a file's audio: `silencedetect`, only decoding, only reading. */
function bareListening(ffmpegPath: string, file: string) {
  const listen = (...options: string[]) =>
    promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', '-i', file, '-vn', ...options, '-f', 'null', '-'])
  return {
    bare: () => listen('-af', 'silencedetect=n=-35dB:d=0.5'),
    decode: () => listen(),
    demux: () => listen('-c', 'copy'),
  }
}

/** The engine alone, as a job uses it: measures the envelope of the whole file, and finds its silences. */
async function silencesIn({ ffmpeg, cores }: HourOfFilm, file: string): Promise<readonly Segment[]> {
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
  return findSilences(envelope, { window, amplitude: 10 ** (-35 / 20), minSilenceSeconds: 0.5 })
}

/** How many of the known pauses were found, and how far an edge is off at most. */
function compareWithPauses(silences: readonly Segment[], pauses: readonly Segment[]) {
  const errors = pauses.flatMap(({ start, end }) => {
    const nearest = silences.find((silence) => silence.start < end && silence.end > start)
    return nearest ? [Math.max(Math.abs(nearest.start - start), Math.abs(nearest.end - end)) * 1000] : []
  })
  return { found: errors.length, worstMs: Math.max(0, ...errors) }
}
