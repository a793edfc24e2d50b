import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { RunningProcess } from '../../scripts/stack/processes.ts'
import { taskQueueTypeOf } from '../../src/temporal/job-client.ts'
import { taskQueues } from '../../src/temporal/names.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'
import { type Service, startService } from './service.ts'

const deploymentName = 'media-timeline'
const speech = path.resolve('test/fixtures/speech.wav')

let service: Service
let server: Server
let mediaUrl: string
let connection: Connection
let temporal: Client

/** The waiting requests for the media, which keep the job in its first step. */
const held: ServerResponse[] = []
let holding = false

beforeAll(async () => {
  server = createServer((_request, response) => {
    if (holding) held.push(response)
    else createReadStream(speech).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${portOf(server)}`
  mediaUrl = `http://${host}/speech.wav`
  // Upkeep changes its version after a pause.
  service = await startService({ MEDIA_ALLOW_HOSTS: host }, { worker: false, upkeepEverySeconds: 2 })
  connection = await Connection.connect({ address: temporalAddress })
  temporal = new Client({ connection, namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '' })
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await connection.close()
  await service.stop()
})

function portOf(listening: Server): number {
  const address: AddressInfo | string | null = listening.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** A job that stays in its first step until `release` sends its media. */
async function startHeldJob() {
  holding = true
  const { id } = await service.client.create({ endpoint: 'audio/detect-silence', media_url: mediaUrl, end: 5 })
  const response = await untilFound(() => held.shift())
  holding = false
  return { id, release: () => createReadStream(speech).pipe(response) }
}

async function createJob() {
  const media = await service.client.upload(speech)
  return service.client.create({ endpoint: 'audio/detect-silence', media_url: media, end: 5 })
}

async function runJob(): Promise<string> {
  const { id } = await createJob()
  expect(await service.client.ended(id)).toMatchObject({ status: 'completed' })
  return id
}

const startVersion = (buildId: string) => service.startWorker({ WORKER_BUILD_ID: buildId })

/** Blank: workers without a version take the new runs. */
async function makeCurrent(buildId: string): Promise<void> {
  const { namespace } = temporal.options
  const { workflowService } = connection
  // The server knows a new worker's version after a moment, and the task queues learn the current one later.
  await vi.waitFor(() => workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId }), {
    timeout: 120_000,
    interval: 100,
  })
  // The deployment's own state may stay "in progress" for ever: github.com/temporalio/temporal/issues/11842.
  await untilFound(async () => {
    const current = await Promise.all(taskQueues.map(currentBuildId))
    return current.every((id) => id === buildId)
  })
}

/** As a task queue knows it. Blank: workers without a version. */
async function currentBuildId(name: string): Promise<string> {
  const asked = { namespace: temporal.options.namespace, taskQueue: { name }, taskQueueType: taskQueueTypeOf(name) }
  const { versioningInfo } = await connection.workflowService.describeTaskQueue(asked)
  return versioningInfo?.currentDeploymentVersion?.buildId ?? ''
}

/** The versions and the processes that took the workflow's tasks and activities. */
async function whoRan(workflowId: string): Promise<{ versions: string[]; processes: string[] }> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory()
  const versions = new Set<string>()
  const processes = new Set<string>()
  for (const { workflowTaskCompletedEventAttributes: task, activityTaskStartedEventAttributes: activity } of events ??
    []) {
    if (task) versions.add(task.deploymentVersion?.buildId ?? 'none')
    const identity = (task ?? activity)?.identity
    if (identity) processes.add(identity.split('@')[0] ?? '')
  }
  return { versions: [...versions], processes: [...processes] }
}

const only = (buildId: string, { child }: RunningProcess) => ({ versions: [buildId], processes: [String(child.pid)] })

async function countOpenOn(buildId: string, type: 'mediaJob' | 'upkeep'): Promise<number> {
  const version = `TemporalWorkerDeploymentVersion = "${deploymentName}:${buildId}"`
  return (await temporal.workflow.count(`${version} AND WorkflowType = "${type}" AND ExecutionStatus = "Running"`))
    .count
}

const health = z.object({ jobs: z.object({ workers: z.object({ count: z.number() }) }) })

it('a running job stays on its version, new jobs and upkeep use the new one, and the old one drains', async () => {
  const first = await startVersion('v1')
  await makeCurrent('v1')
  const running = await startHeldJob()

  const second = await startVersion('v2')
  await makeCurrent('v2')
  expect(await whoRan(await runJob())).toEqual(only('v2', second))
  const { jobs } = health.parse((await service.client.send('GET', '/health')).body)
  expect(jobs.workers.count).toBe(2)

  expect(await countOpenOn('v1', 'mediaJob')).toBe(1)
  running.release()
  expect(await service.client.ended(running.id)).toMatchObject({ status: 'completed' })
  expect(await whoRan(running.id)).toEqual(only('v1', first))
  await untilFound(() => first.tail(100).includes(running.id))
  expect(second.tail(100)).not.toContain(running.id)

  // Upkeep ends its run after the pause between two passes, and the schedule starts the next run.
  await vi.waitUntil(async () => (await countOpenOn('v2', 'upkeep')) === 1, { timeout: 120_000, interval: 100 })
  await untilFound(async () => (await countOpenOn('v1', 'mediaJob')) === 0)
  expect(await countOpenOn('v1', 'upkeep')).toBe(0)
  await first.stop()
  expect(await whoRan(await runJob())).toEqual(only('v2', second))
  await second.stop()
})

it('a job that no worker has taken runs on the version that is current then', async () => {
  const { id } = await createJob()
  const third = await startVersion('v3')
  await makeCurrent('v3')
  expect(await service.client.ended(id)).toMatchObject({ status: 'completed' })
  expect(await whoRan(id)).toEqual(only('v3', third))
  await third.stop()
})

it('a job that runs while versioning is switched on continues on the first version', async () => {
  const unversioned = await service.startWorker()
  await makeCurrent('')
  const running = await startHeldJob()
  const fourth = await startVersion('v4')
  await makeCurrent('v4')
  running.release()
  expect(await service.client.ended(running.id)).toMatchObject({ status: 'completed' })
  expect((await whoRan(running.id)).versions).toEqual(['none', 'v4'])
  await Promise.all([unversioned.stop(), fourth.stop()])
})
