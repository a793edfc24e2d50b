import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { Client } from '../../scripts/client.ts'
import type { RunningProcess } from '../../scripts/stack/processes.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { speech } from '../fixtures/make.ts'
import { leftFiles, type Service, startService } from './service.ts'

const blockedSeconds = 3
const jobsOfEach = 10
/** What two ends cost another account at most: each misses heartbeats for ten seconds, and starts a process. */
const endsSeconds = 60

let service: Service | undefined
let folder: string | undefined

afterEach(async () => {
  await service?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const health = z.object({ jobs: z.object({ workers: z.object({ blocked_last_hour: z.int() }) }) })

/** Runs twenty jobs of two accounts, one of which blocks its worker, and starts each worker again that ends. */
async function runBesideBlockingJob(options: { readonly workers: number; readonly blockIn: string }) {
  folder = await mkdtemp(path.join(tmpdir(), 'blocking jobs '))
  const blockingJobs = path.join(folder, 'jobs')
  const preload = path.join(import.meta.dirname, 'block-jobs.cjs')
  const started = await startService({}, { worker: false })
  service = started
  const accounts = [await started.newAccount(), await started.newAccount()] as const
  const jobs = await Promise.all(
    accounts.map(async ({ client }) => {
      const media_url = await client.upload(speech)
      const createAll = async (from: number) => {
        const jobIds: string[] = []
        for (let start = from; start < from + jobsOfEach; start += 1) {
          const { id } = await client.create({ endpoint: 'video/clip-window', media_url, start, end: start + 1 })
          jobIds.push(id)
        }
        return jobIds
      }
      return { client, createAll, jobIds: await createAll(0) }
    }),
  )
  const [first, other] = jobs
  if (!first || !other) throw new Error('two accounts are needed')
  const blocking = first.jobIds[3] ?? ''
  await writeFile(blockingJobs, blocking)

  let isOver = false
  let ends = 0
  const variables = {
    ...{ NODE_OPTIONS: `--require "${preload}"`, BLOCKING_JOBS_FILE: blockingJobs, BLOCK_IN: options.blockIn },
    BLOCKED_LOOP_SECONDS: `${blockedSeconds}`,
  }
  const keepRunning = async (worker: RunningProcess): Promise<void> => {
    await worker.ended
    if (isOver) return
    ends += 1
    await keepRunning(await started.startWorker(variables))
  }
  const kept = Array.from({ length: options.workers }, async () => keepRunning(await started.startWorker(variables)))
  const endOf = (client: Client, jobIds: readonly string[]) =>
    Promise.all(jobIds.map((jobId) => client.ended(jobId, 200)))
  const secondsOf = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return (performance.now() - began) / 1000
  }
  const otherSeconds = await secondsOf(() => endOf(other.client, other.jobIds))
  await endOf(first.client, first.jobIds)
  const usualSeconds = await secondsOf(async () => endOf(other.client, await other.createAll(20)))
  isOver = true
  await started.stopWorkers()
  await Promise.all(kept)
  const rows = await started.db.job.findMany({ select: { id: true, status: true, error: true, finalMicroUsd: true } })
  return { service: started, rows, blocking, ends, otherSeconds, usualSeconds }
}

it.each([
  { workers: 2, blockIn: 'JavaScript' },
  { workers: 1, blockIn: 'native code' },
])(
  'a job that blocks its worker in $blockIn, with $workers, fails after two tries at no charge, and no other job does',
  async ({ workers, blockIn }) => {
    const {
      service: ran,
      rows,
      blocking,
      ends,
      otherSeconds,
      usualSeconds,
    } = await runBesideBlockingJob({ workers, blockIn })
    const failed = rows.filter(({ status }) => status !== 'completed')
    expect(failed).toEqual([
      expect.objectContaining({ id: blocking, error: expect.objectContaining({ code: 'processing_failed' }) }),
    ])
    expect(rows).toHaveLength(3 * jobsOfEach)
    expect(Number(failed[0]?.finalMicroUsd ?? 0)).toBe(0)
    expect(ends).toBe(2)
    expect(otherSeconds).toBeLessThan(usualSeconds + endsSeconds)
    expect(await checkLedger(ran.db)).toEqual([])
    expect(await leftFiles(ran)).toEqual([])
    const { jobs } = health.parse(await (await fetch(`${ran.baseUrl}/health`)).json())
    expect(jobs.workers.blocked_last_hour).toBe(2)
    const ended = (await ran.logLines()).filter(({ msg }) => msg === 'the event loop is blocked, and this process ends')
    expect(ended).toHaveLength(2)
    if (blockIn === 'JavaScript')
      expect(ended).toEqual([
        expect.objectContaining({
          workId: blocking,
          stack: expect.arrayContaining([expect.stringMatching(/^blockEventLoop /)]),
        }),
        expect.objectContaining({ workId: blocking }),
      ])
  },
  300_000,
)
