import { execFile, execFileSync } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { compiledServices } from '../../scripts/stack/compiled-services.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { startWorker } from '../../scripts/stack/services.ts'
import { withSupervisor } from '../../scripts/stack/supervised.ts'
import { durationOf } from '../../src/core/segments.ts'
import { describeFigures, inTurns } from '../figures.ts'
import { timeJob, withLabStack } from '../lab-stack.ts'
import { descendants, processesOf } from '../processes.ts'
import type { HourOfFilm } from './hour.ts'
import { withoutPauses } from './talk-film.ts'

/** The part of the film that is joined: ten minutes of output. */
const filmSeconds = 735
const clipResult = z.object({ receipt: z.object({ frames_encoded: z.int() }) })

/** Joins ranges on a worker with one slot, on a core of its own, then with a second one on another core. */
export async function measureTwoWorkers({ context, talk, folder, ffmpegPath }: HourOfFilm): Promise<string> {
  const { root, say } = context
  // Only what is joined is uploaded, at the film's own bytes.
  const film = path.join(folder, 'joined.mp4')
  const part = ['-t', String(filmSeconds + 1), '-c', 'copy', '-movflags', '+faststart', film]
  await promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', '-i', talk.film, ...part])
  const ranges = withoutPauses(talk, filmSeconds)
  const env = { ...noQuotas, LOG_LEVEL: 'warn', MEDIA_SLOTS: '1' }
  return withLabStack(context, { folder, env }, async ({ newClient, databaseUrl, temporalAddress }) => {
    const client = await newClient({ hasBilling: true })
    const media_url = await client.upload(film)
    const join = async () => {
      pinWorkers()
      const settings = { ranges, quality: 'fast' }
      const { milliseconds, result } = await timeJob(client, { endpoint: 'video/clip-window', media_url, settings })
      return { milliseconds, frames: clipResult.parse(result).receipt.frames_encoded }
    }
    say('bare ffmpeg, on one core and on two')
    const bare = await inTurns(3, {
      one: () => encodeOn(0, ffmpegPath, film),
      two: () => Promise.all([encodeOn(0, ffmpegPath, film), encodeOn(1, ffmpegPath, film)]),
    })
    say('one worker')
    const one = await join()
    const build = await compiledServices(root, say)
    const { ffprobePath } = await context.findTools()
    const services = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, DATA_DIR: folder }
    const tools = { FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath, MODELS_DIR: context.modelsDir }
    const two = { milliseconds: 0, frames: 0 }
    await withSupervisor(path.join(folder, 'second-worker'), say, async (supervisor) => {
      const variables = { ...env, ...context.env, ...services, ...tools }
      await startWorker({ supervisor, code: { root, build }, env: variables, say })
      say('two workers')
      Object.assign(two, await join())
      return 0
    })
    const outputMinutes = ranges.reduce((sum, range) => sum + durationOf(range), 0) / 60
    const ratio = two.milliseconds / one.milliseconds
    return `## A joined clip on two workers

${ranges.length} ranges of 1080p, ${outputMinutes.toFixed(1)} minutes of output (quality \`fast\`), as a whole job from POST to completed. Each worker has one slot for media
and one core; API, Temporal and database use both cores. One worker took ${(one.milliseconds / 1000).toFixed(0)} s, two took ${(two.milliseconds / 1000).toFixed(0)} s; ${one.frames} and ${two.frames} frames.
Bare ffmpeg on both cores simultaneously takes ${(bare('two') / bare('one') / 2).toFixed(2)} × the time of one after the other.

${describeFigures([{ name: 'two workers : one', value: ratio, goal: 0.55, unit: '×' }])}
`
  })
}

function encodeOn(core: number, ffmpegPath: string, film: string): Promise<unknown> {
  return promisify(execFile)('taskset', [
    ...['-c', `${core}`, ffmpegPath, '-nostdin', '-v', 'error', '-threads', '1', '-t', '15', '-i', film, '-an'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-threads', '1', '-f', 'null', '-'],
  ])
}

/** Gives every worker, with the processes that it starts, a core of its own. Linux only. */
function pinWorkers(): void {
  for (const [core, worker] of processesOf('worker').entries()) {
    for (const pid of [worker, ...descendants(worker)]) execFileSync('taskset', ['-acp', `${core}`, `${pid}`])
  }
}
