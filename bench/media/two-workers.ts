import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Client } from '../../scripts/client.ts'
import { compiledServices } from '../../scripts/stack/compiled-services.ts'
import { startWorker } from '../../scripts/stack/services.ts'
import type { StackAddresses } from '../../scripts/stack/stack-file.ts'
import { withSupervisor } from '../../scripts/stack/supervised.ts'
import { durationOf, type Segment } from '../../src/core/segments.ts'
import { descendants, familyOf } from '../processes.ts'
import { describeFigures, type Figure } from './figures.ts'
import { inTurns } from './in-turns.ts'
import { clipResult, timeJob } from './jobs.ts'

export interface TwoWorkersInput {
  readonly client: Client
  readonly root: string
  readonly dataDir: string
  readonly stack: StackAddresses
  /** Of the stack's worker, which has one slot for media. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly say: (line: string) => void
  readonly film: string
  readonly ffmpegPath: string
  readonly ranges: readonly Segment[]
}

export interface TwoWorkers {
  readonly ranges: number
  readonly outputSeconds: number
  readonly oneMs: number
  readonly twoMs: number
  readonly frames: readonly [number, number]
  readonly bareMs: BareEncodings
}

/** Joins the ranges on the stack's worker, on a core of its own, then with a second one on another core. */
export async function measureTwoWorkers(input: TwoWorkersInput): Promise<TwoWorkers> {
  const { client, ranges, stack, root, say } = input
  const media_url = await client.upload(input.film)
  const job = { endpoint: 'video/clip-window', media_url, settings: { ranges, quality: 'fast' } }
  const join = async () => {
    const { milliseconds, result } = await timeJob(client, job)
    return { milliseconds, frames: clipResult.parse(result).receipt.frames_encoded }
  }
  const bareMs = await measureBareEncodings(input)
  pinWorkers()
  say('one worker')
  const one = await join()
  const build = await compiledServices(root, say)
  const logs = mkdtempSync(path.join(input.dataDir, 'second-worker-'))
  let two: Awaited<ReturnType<typeof join>> | undefined
  await withSupervisor(logs, say, async (supervisor) => {
    const { databaseUrl: DATABASE_URL, temporalAddress: TEMPORAL_ADDRESS } = stack
    const env = { ...input.env, DATABASE_URL, TEMPORAL_ADDRESS }
    await startWorker({ supervisor, code: { root, build }, env, say })
    pinWorkers()
    say('two workers')
    two = await join()
    return 0
  })
  if (!two) throw new Error('the clip was not joined on two workers')
  return {
    ranges: ranges.length,
    outputSeconds: ranges.reduce((sum, range) => sum + durationOf(range), 0),
    oneMs: one.milliseconds,
    twoMs: two.milliseconds,
    frames: [one.frames, two.frames],
    bareMs,
  }
}

type BareEncodings = Awaited<ReturnType<typeof measureBareEncodings>>

/** What two cores of the machine give: ffmpeg on one core, and two of it simultaneously, each on its own core. */
function measureBareEncodings({ ffmpegPath, film, say }: TwoWorkersInput) {
  say('bare ffmpeg')
  const encoding = ['-t', '15', '-i', film, '-an', '-c:v', 'libx264', '-preset', 'veryfast', '-threads', '1']
  const encode = (core: number) =>
    promisify(execFile)('taskset', [
      ...['-c', `${core}`, ffmpegPath, '-nostdin', '-v', 'error', '-threads', '1'],
      ...[...encoding, '-f', 'null', '-'],
    ])
  return inTurns(3, { one: () => encode(0), two: () => Promise.all([encode(0), encode(1)]) })
}

/** Gives every worker, with the processes that it starts, a core of its own. Linux only. */
function pinWorkers(): void {
  const workers = familyOf((commandLine) => /activities\/worker/.test(commandLine))
  for (const [core, worker] of workers.entries()) {
    for (const pid of [worker, ...descendants(worker)]) execFileSync('taskset', ['-acp', `${core}`, `${pid}`])
  }
}

function twoWorkersFigures({ oneMs, twoMs }: TwoWorkers): Figure[] {
  return [{ name: 'two workers : one', value: twoMs / oneMs, goal: 0.55, unit: '×' }]
}

export function describeTwoWorkers(results: TwoWorkers & { readonly machine: string }): string {
  const { machine, ranges, outputSeconds, oneMs, twoMs, frames, bareMs } = results
  return `## A joined clip on two workers

Written by \`npm run bench:media -- two-workers\`. ${machine}.

${ranges} ranges of 1080p, ${(outputSeconds / 60).toFixed(1)} minutes of output (quality \`fast\`), as a whole job from POST to completed. Each worker has one slot for media
and one core; API, Temporal and database use both cores. One worker took ${(oneMs / 1000).toFixed(0)} s, two took ${(twoMs / 1000).toFixed(0)} s; ${frames[0]} and ${frames[1]} frames.
Bare ffmpeg on both cores simultaneously takes ${(bareMs.two / bareMs.one / 2).toFixed(2)} × the time of one after the other.

${describeFigures(twoWorkersFigures(results))}
`
}
