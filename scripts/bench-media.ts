import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describeMachine } from '../bench/machine.ts'
import { describeCluster, simulateCluster } from '../bench/media/cluster.ts'
import { measureCold, measureStreamed, measureWarm } from '../bench/media/detection.ts'
import { describeDetection, detectionFigures } from '../bench/media/detection-results.ts'
import type { EngineBench } from '../bench/media/engine.ts'
import type { Figure } from '../bench/media/figures.ts'
import { serveFilm } from '../bench/media/film-server.ts'
import { measureJoined } from '../bench/media/joined.ts'
import { describeJoined, joinedFigures } from '../bench/media/joined-results.ts'
import { measureModes } from '../bench/media/modes.ts'
import { describeModes, modesFigures } from '../bench/media/modes-results.ts'
import { recordPeakMemory } from '../bench/media/peak-memory.ts'
import { describePeers, measurePeers, peersFigures } from '../bench/media/peers.ts'
import { plotFigures } from '../bench/media/plot.ts'
import { measureRemoteClip } from '../bench/media/remote-clip.ts'
import { type TalkFilm, talkFilm } from '../bench/media/talk-film.ts'
import { describeTwoWorkers, measureTwoWorkers } from '../bench/media/two-workers.ts'
import { writePart } from '../bench/results-page.ts'
import { ensureDevelopmentAccount } from '../src/accounts/own-account.ts'
import { activateBilling } from '../src/billing/activate-billing.ts'
import { clampTo, complement, type Segment } from '../src/core/segments.ts'
import { openDatabase } from '../src/db/database.ts'
import { openConfinement } from '../src/media/tools/confinement.ts'
import { createFfmpeg } from '../src/media/tools/ffmpeg.ts'
import { setupTemporal } from '../src/temporal/setup-temporal.ts'
import { assertParts } from './bench-parts.ts'
import { createClient } from './client.ts'
import { newDevelopmentKey } from './development-key.ts'
import type { Command, Context } from './main.ts'
import { noQuotas } from './stack/no-quotas.ts'
import { freePort } from './stack/ports.ts'
import { withStack } from './stack/stack.ts'
import { withSupervisor } from './stack/supervised.ts'
import { startTemporal } from './stack/temporal.ts'

const bytesPerSecond = 100e6
const rounds = 3
/** Each round takes seconds, and the machine's noise exceeds the margin to the goal. */
const clipRounds = 5
/** The part of the film joined at 1080p: ten minutes of output. */
const largeSeconds = 735

interface Bench {
  readonly context: Context
  readonly dataDir: string
  /** Made on first use. */
  readonly talk: () => Promise<TalkFilm>
  readonly engine: EngineBench
  readonly memory: ReturnType<typeof recordPeakMemory>
  /** Several figures are also drawn. */
  readonly report: (text: string, figures?: readonly Figure[]) => void
}

const parts = {
  detection: reportDetection,
  'joined-360p': async (bench: Bench) => {
    const talk = await bench.talk()
    return reportJoined('joined-360p', bench, talk.smallFilm, withoutPauses(talk, talk.seconds))
  },
  'joined-1080p': async (bench: Bench) => {
    const talk = await bench.talk()
    return reportJoined('joined-1080p', bench, talk.film, withoutPauses(talk, largeSeconds))
  },
  modes: reportModes,
  'two-workers': reportTwoWorkers,
  cluster: reportCluster,
  peers: reportPeers,
} as const

const partNames = Object.keys(parts).filter((name): name is keyof typeof parts => Object.hasOwn(parts, name))

/** Measures the engine and whole jobs beside bare ffmpeg on an hour of film, with temporary data: all parts, or those named. */
export const benchMediaCommand: Command = async (context) => {
  assertParts(context, partNames)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-bench-'))
  const { ffmpegPath, ffprobePath } = await context.findTools()
  const madeTalk = async () => {
    context.say('creating the film, once')
    return talkFilm(ffmpegPath, path.join(context.root, 'test', 'fixtures', 'speech.wav'))
  }
  let making: Promise<TalkFilm> | undefined
  const talk = () => (making ??= madeTalk())
  // Tools run as a worker's do.
  const { start, ...confinement } = await openConfinement({ onLevel: () => {} })
  const engine = {
    ffmpegPath,
    cores: availableParallelism(),
    ffmpeg: createFfmpeg({ ffmpegPath, ffprobePath, start, processDir: path.join(dataDir, 'engine') }),
  }
  const memory = recordPeakMemory()
  const page = path.join(context.root, 'bench', 'RESULTS.md')
  try {
    for (const part of partNames) {
      if (context.args.length > 0 && !context.args.includes(part)) continue
      const report = (text: string, figures?: readonly Figure[]) => {
        writePart(page, part, text)
        if (figures) writeFileSync(path.join(context.root, 'bench', `${part}.svg`), plotFigures(figures))
        console.log(text)
      }
      const exitCode = await parts[part]({ context, dataDir, talk, engine, memory, report })
      if (exitCode !== 0) return exitCode
    }
    return 0
  } finally {
    memory.stop()
    await confinement.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function reportDetection({ context, dataDir, engine, memory, report, ...bench }: Bench): Promise<number> {
  const talk = await bench.talk()
  const server = await serveFilm(talk.film, bytesPerSecond)
  const env = { ...noQuotas, LOG_LEVEL: 'warn', MEDIA_ALLOW_HOSTS: server.host, ...context.env }
  try {
    return await withStack({ ...context, env, dataDir }, async ({ apiUrl, databaseUrl }) => {
      const client = createClient(apiUrl, await newDevelopmentKey(databaseUrl, 'npm run bench:media'))
      await letSpend(databaseUrl)
      context.say('silences of a local file')
      const cold = await measureCold(client, engine, talk.film, talk, rounds)
      context.say('silences of a film on a server')
      const fileBytes = statSync(talk.film).size
      const streamed = await measureStreamed(client, server, { fileBytes, bytesPerSecond })
      context.say('silences of known media')
      const warm = await measureWarm(client, talk.film)
      context.say('a clip from a film on a server')
      const clip = await measureRemoteClip(client, server, engine.ffmpegPath, clipRounds)
      const peaks = memory.take()
      const memoryMiB = { worker: peaks.get('worker') ?? Number.NaN, ffmpeg: peaks.get('ffmpeg') ?? Number.NaN }
      const results = { machine: describeMachine(engine.ffmpegPath), cold, streamed, warm, clip, memoryMiB }
      report(describeDetection(results), detectionFigures(results))
      return 0
    })
  } finally {
    await server.close()
  }
}

async function reportJoined(
  part: string,
  { context, engine, memory, report }: Bench,
  film: string,
  ranges: readonly Segment[],
): Promise<number> {
  context.say(part)
  const joined = await measureJoined(engine, film, ranges)
  const ffmpegMiB = memory.take().get('ffmpeg') ?? Number.NaN
  const results = { ...joined, machine: describeMachine(engine.ffmpegPath), ffmpegMiB }
  report(describeJoined(part, results), joinedFigures(results))
  return 0
}

async function reportModes({ context, engine, memory, report, ...bench }: Bench): Promise<number> {
  const talk = await bench.talk()
  context.say('modes')
  memory.take()
  const modes = await measureModes(engine, talk.film, withoutPauses(talk, talk.seconds))
  const worker = process.resourceUsage().maxRSS / 1024
  const memoryMiB = { worker, ffmpeg: memory.take().get('ffmpeg') ?? Number.NaN }
  const results = { ...modes, memoryMiB, machine: describeMachine(engine.ffmpegPath) }
  report(describeModes(results), modesFigures(results))
  return 0
}

async function reportTwoWorkers({ context, dataDir, engine, report, ...bench }: Bench): Promise<number> {
  const talk = await bench.talk()
  // Only what is joined is uploaded, at the film's own bytes.
  const film = path.join(dataDir, 'joined.mp4')
  const start = ['-t', String(largeSeconds + 1), '-c', 'copy', '-movflags', '+faststart', film]
  await promisify(execFile)(engine.ffmpegPath, ['-nostdin', '-v', 'error', '-i', talk.film, ...start])
  const env = { ...noQuotas, LOG_LEVEL: 'warn', MEDIA_SLOTS: '1', ...context.env }
  return withStack({ ...context, env, dataDir }, async (stack) => {
    const client = createClient(stack.apiUrl, await newDevelopmentKey(stack.databaseUrl, 'npm run bench:media'))
    await letSpend(stack.databaseUrl)
    const tools = await context.findTools()
    const results = await measureTwoWorkers({
      ...{ client, stack, dataDir, root: context.root, say: context.say, film, ffmpegPath: tools.ffmpegPath },
      env: { ...env, DATA_DIR: dataDir, FFMPEG_PATH: tools.ffmpegPath, FFPROBE_PATH: tools.ffprobePath },
      ranges: withoutPauses(talk, largeSeconds),
    })
    report(describeTwoWorkers({ ...results, machine: describeMachine(engine.ffmpegPath) }))
    return 0
  })
}

async function reportCluster({ context, dataDir, engine, report }: Bench): Promise<number> {
  const { temporalPath } = await context.findTools()
  return withSupervisor(path.join(dataDir, 'cluster'), context.say, async (supervisor) => {
    const server = await startTemporal(supervisor, { temporalPath, port: await freePort(), uiPort: await freePort() })
    await setupTemporal({ TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default', TEMPORAL_TLS: false })
    context.say('a simulated cluster')
    const results = await simulateCluster(server.address)
    report(describeCluster({ ...results, machine: describeMachine(engine.ffmpegPath) }))
    return 0
  })
}

async function reportPeers({ context, dataDir, engine, report, ...bench }: Bench): Promise<number> {
  const talk = await bench.talk()
  context.say('silences by libraries for Python')
  const results = await measurePeers(engine, talk, dataDir)
  report(describePeers({ ...results, machine: describeMachine(engine.ffmpegPath) }), peersFigures(results))
  return 0
}

/** The talk up to `endSeconds`, without its pauses. */
function withoutPauses(talk: TalkFilm, endSeconds: number): Segment[] {
  const whole: Segment = { start: 0, end: talk.seconds }
  return clampTo(complement(talk.pauses, whole), { start: 0, end: endSeconds })
}

/** Activates billing: some hundred jobs on an hour of media cost more than the free credits. */
async function letSpend(databaseUrl: string): Promise<void> {
  const db = openDatabase(databaseUrl, { poolSize: 1 })
  try {
    await activateBilling(db, await ensureDevelopmentAccount(db))
  } finally {
    await db.$disconnect()
  }
}
