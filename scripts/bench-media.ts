import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { describeMachine } from '../bench/machine.ts'
import { measureCold, measureStreamed, measureWarm } from '../bench/media/detection.ts'
import { serveFilm } from '../bench/media/film-server.ts'
import { type Joined, measureJoined } from '../bench/media/joined.ts'
import { watchMemory } from '../bench/media/peak-memory.ts'
import { plotFigures } from '../bench/media/plot.ts'
import { measureRemoteClip } from '../bench/media/remote-clip.ts'
import { describeMedia, figuresOf } from '../bench/media/results.ts'
import { talkFilm } from '../bench/media/talk-film.ts'
import { writePart } from '../bench/results-page.ts'
import { activateBilling } from '../src/billing/activate-billing.ts'
import { ensureDevelopmentAccount } from '../src/billing/credits.ts'
import { clampTo, complement } from '../src/core/segments.ts'
import { createFfmpeg } from '../src/media/ffmpeg.ts'
import { openDatabase } from '../src/store/database.ts'
import { createClient } from './client.ts'
import { newDevelopmentKey } from './development-key.ts'
import type { Run } from './main.ts'
import { noQuotas } from './stack/no-quotas.ts'
import { withStack } from './stack/stack.ts'

const bytesPerSecond = 100e6
const rounds = 3
/** What is joined at 1080p: ten minutes of output. */
const largeSeconds = 735

/** Measures the engine and whole jobs beside bare ffmpeg on an hour of film, on throw-away data; some 30 minutes, or four without joined ranges (`-- quick`). */
export const run: Run = async (context) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-bench-'))
  const { ffmpegPath, ffprobePath } = await context.findTools()
  context.say('making the film, once')
  const talk = await talkFilm(ffmpegPath, path.join(context.root, 'test', 'fixtures', 'speech.wav'))
  const server = await serveFilm(talk.film, bytesPerSecond)
  const memory = watchMemory()
  const env = { ...noQuotas, LOG_LEVEL: 'warn', MEDIA_ALLOW_HOSTS: server.host, ...context.env }
  const engine = {
    ffmpegPath,
    cores: availableParallelism(),
    ffmpeg: createFfmpeg({ ffmpegPath, ffprobePath, processDir: path.join(dataDir, 'engine') }),
  }
  const kept = complement(talk.pauses, { start: 0, end: talk.seconds })
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
      const clip = await measureRemoteClip(client, server, ffmpegPath, rounds)
      const joined: Joined[] = []
      if (!context.args.includes('quick')) {
        context.say('joined ranges')
        joined.push(await measureJoined(engine, talk.smallFilm, kept))
        joined.push(await measureJoined(engine, talk.film, clampTo(kept, { start: 0, end: largeSeconds })))
      }
      const peaks = memory.take()
      const memoryMiB = { worker: peaks.get('worker') ?? Number.NaN, ffmpeg: peaks.get('ffmpeg') ?? Number.NaN }
      const machine = describeMachine(ffmpegPath)
      const results = { machine, cold, streamed, warm, clip, joined, memoryMiB }
      const text = describeMedia(results)
      writePart(path.join(context.root, 'bench', 'RESULTS.md'), 'media', text)
      writeFileSync(path.join(context.root, 'bench', 'media.svg'), plotFigures(figuresOf(results)))
      console.log(text)
      return 0
    })
  } finally {
    memory.stop()
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Some hundred questions about an hour of media cost more than the free credits. */
async function letSpend(databaseUrl: string): Promise<void> {
  const db = openDatabase(databaseUrl, 1)
  try {
    await activateBilling(db, await ensureDevelopmentAccount(db))
  } finally {
    await db.$disconnect()
  }
}
