import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Context } from '@temporalio/activity'
import { Client, Connection } from '@temporalio/client'
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import type { Activities, MediaActivities, SourceActivities } from '../../activities/index.ts'
import { partsPlan } from '../../activities/parts.ts'
import { durationOf, type Segment } from '../../src/core/segments.ts'
import { pieceThirds } from '../../src/media/clip/video-pieces.ts'
import { mediaTaskQueue, sourceTaskQueue, storageTaskQueue, workflowTaskQueue } from '../../src/temporal/names.ts'
import { describeFigures, type Figure } from './figures.ts'

// A film of four hours, its 300 ranges joined by 32 workers of four slots that sleep as long as the work takes: the workflows, the
// server and the workers' polls are real, the cores are not.

const workers = 32
const slotsOfWorker = 4
const filmSeconds = 4 * 3_600
const rangesOfFilm = 300

/**
 * Seconds of work for a second of the clip, on one core. Video as in the part joined-1080p of the results, on a slow day: 439 s on two
 * cores for 666 s. The others are assumed, each several times what a quick machine takes.
 */
const rates = { plan: 0.002, audio: 0.01, video: 1.32, assembly: 0.005 }

export interface Cluster {
  readonly clipSeconds: number
  readonly parts: number
  readonly seconds: number
  /** The time that the same work takes if every slot begins its first part immediately and messages take no time. */
  readonly idealSeconds: number
  readonly workSeconds: number
  /** Everything sleeps for this share of its time. */
  readonly scale: number
}

/** On a slow machine, work that takes longer is simulated faster, so that what is not work weighs more. */
const maxIdealSeconds = 120

/** The ranges of a long film without its pauses: of uneven length, in all as long as the clip. */
function rangesOf(): Segment[] {
  const step = filmSeconds / rangesOfFilm
  return Array.from({ length: rangesOfFilm }, (_, index) => ({
    start: index * step,
    end: (index + 0.8 + 0.15 * Math.sin(index)) * step,
  }))
}

export async function simulateCluster(address: string): Promise<Cluster> {
  const clipSeconds = rangesOf().reduce((sum, range) => sum + durationOf(range), 0)
  const thirds = pieceThirds(rangesOf())
  // Pieces are cut at frames: these are their lengths to a frame.
  const secondsOfThird = clipSeconds / thirds.reduce((sum, each) => sum + each, 0)
  const parts = [clipSeconds * rates.audio, ...thirds.map((each) => each * secondsOfThird * rates.video)]
  const [plan, assembly] = [clipSeconds * rates.plan, clipSeconds * rates.assembly]
  const workSeconds = parts.reduce((sum, each) => sum + each, 0)

  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const connection = await NativeConnection.connect({ address })
  // Of one connection, Temporal's SDK takes one worker for a queue.
  const connections = await Promise.all(Array.from({ length: workers }, () => NativeConnection.connect({ address })))
  const shared = { connection, namespace: 'default' }
  const slots = workers * slotsOfWorker
  const idealSeconds = plan + Math.max(...parts, workSeconds / slots) + assembly
  const scale = Math.min(1, maxIdealSeconds / idealSeconds)
  const work = async (seconds: number) => {
    const context = Context.current()
    const beat = setInterval(() => context.heartbeat(), 1_000)
    await sleep(seconds * scale * 1000).finally(() => clearInterval(beat))
  }
  const activities = {
    reuse: async () => ({ isAnswered: false as const, isStored: true, isOnDisk: false }),
    hold: async () => {},
    finish: async () => ({ isCompleted: true }),
  } satisfies Partial<Activities>
  const sources = {
    inspect: async () => ({ jobEnded: false as const, mediaSeconds: filmSeconds, isStreamed: false, isSplit: true }),
    planParts: async () => {
      await work(plan)
      return partsPlan(parts)
    },
  } satisfies Partial<SourceActivities>
  const media = {
    runPart: ({ part }) => work(parts[part] ?? 0),
    run: () => work(assembly),
  } satisfies MediaActivities
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
  const running = [
    await Worker.create({ ...shared, taskQueue: workflowTaskQueue, workflowBundle, activities }),
    ...(await Promise.all(
      [sourceTaskQueue, storageTaskQueue].map((taskQueue) =>
        Worker.create({ ...shared, taskQueue, activities: sources }),
      ),
    )),
    ...(await Promise.all(
      connections.map((own) =>
        Worker.create({
          ...{ connection: own, namespace: 'default', taskQueue: mediaTaskQueue, activities: media },
          maxConcurrentActivityTaskExecutions: slotsOfWorker,
        }),
      ),
    )),
  ]
  const ended = Promise.all(running.map((worker) => worker.run()))
  const client = new Client({ connection: await Connection.connect({ address }) })
  const workflowId = 'job_cluster'
  const start = performance.now()
  await client.workflow.execute('mediaJob', { taskQueue: workflowTaskQueue, workflowId, args: [{ jobId: workflowId }] })
  const seconds = (performance.now() - start) / 1000 / scale
  for (const worker of running) worker.shutdown()
  await ended
  await Promise.all([client.connection, connection, ...connections].map((each) => each.close()))
  return { clipSeconds, parts: parts.length, seconds, idealSeconds, workSeconds, scale }
}

function clusterFigures({ seconds, idealSeconds }: Cluster): Figure[] {
  return [{ name: '128 slots : the ideal', value: seconds / idealSeconds, goal: 1.15, unit: '×' }]
}

export function describeCluster(results: Cluster & { readonly machine: string }): string {
  const { machine, clipSeconds, parts, seconds, idealSeconds, workSeconds, scale } = results
  const shorter =
    scale < 1 ? ` Everything slept for ${scale.toFixed(2)} of its time, so that messages weighed more.` : ''
  const per = (rate: number) => rate.toFixed(3)
  return `## A long film on a cluster

Written by \`npm run bench:media -- cluster\`. ${machine}.

A simulation: ${rangesOfFilm} ranges of a film of four hours, ${(clipSeconds / 3600).toFixed(1)} hours of clip, on ${workers} workers of ${slotsOfWorker} slots. Workflow, Temporal server and workers are real; the activities
sleep for the time that the work takes on one core: ${per(rates.video)} s for a second of 1080p, as joined ranges take at most, and
assumed are ${per(rates.audio)} s for a second of sound, ${per(rates.plan)} s to plan and ${per(rates.assembly)} s to put together. ${parts} parts, ${(workSeconds / 3600).toFixed(2)} hours of work, took ${seconds.toFixed(0)} s. The
ideal is ${idealSeconds.toFixed(0)} s: plan, longest part or equal share of a slot, assembly.${shorter}

${describeFigures(clusterFigures(results))}
`
}
