import { Readable } from 'node:stream'
import { Client, Connection } from '@temporalio/client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Dependencies } from '../../../activities/dependencies.ts'
import { upkeepRuns } from '../../../activities/upkeep/index.ts'
import { createAccount } from '../../../src/accounts/own-account.ts'
import { newId } from '../../../src/core/ids.ts'
import { stageFolder } from '../../../src/jobs/analysis-rows.ts'
import { markRunning, requestCancellation } from '../../../src/jobs/job-changes.ts'
import { getJob, type Job } from '../../../src/jobs/job-rows.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { acceptClip, draftClip, sameSlots } from '../../billing/jobs.ts'
import { temporalAddress } from '../../setup/temporal.ts'
import { useDependencies } from '../use-dependencies.ts'

const deps = await useDependencies()
let temporal: Client

beforeAll(async () => {
  temporal = new Client({ connection: await Connection.connect({ address: temporalAddress }) })
})

/** Rules check every row, so each test must leave only ended jobs. */
afterEach(async () => {
  for (const { id } of await deps.db.job.findMany({ where: { endedAt: null } })) {
    await settleJob(deps.db, id, { code: 'canceled', message: 'Canceled.' })
  }
})

afterAll(() => temporal.connection.close())

const long = () => new Date(Date.now() - 60_000)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** Runs one rule like the worker, and returns the number of repairs. */
async function repair(rule: string, changed: Partial<Dependencies> = {}): Promise<number> {
  const run = upkeepRuns({ ...deps, ...changed })[rule]
  if (!run) throw new Error(`no rule ${rule}`)
  return run(new AbortController().signal)
}

/** A job that was accepted a minute ago and is in the given state. */
async function oldJob(state: Partial<Pick<Job, 'admittedAt' | 'dispatchedAt' | 'startedAt' | 'status'>> = {}) {
  const { job } = await acceptClip(deps.db, await createAccount(deps.db, 'upkeep'), { seconds: 6 })
  return deps.db.job.update({
    where: { id: job.id },
    data: { createdAt: long(), admittedAt: long(), ...state },
  })
}

async function startWorkflow({ id: jobId, accountId, endpoint }: Job): Promise<void> {
  await deps.jobs.start({ jobId, accountId, endpoint, summary: endpoint })
}

async function ledgerOf(jobId: string) {
  const entries = await deps.db.ledgerEntry.findMany({ where: { jobId }, orderBy: { createdAt: 'asc' } })
  return entries.map(({ kind }) => kind)
}

describe('startAdmittedJobs', () => {
  it('starts jobs that have a slot and never reached Temporal', async () => {
    const job = await oldJob()
    expect(await repair('startAdmittedJobs')).toBe(1)
    expect(await deps.jobs.isOpen(job.id)).toBe(true)
    expect((await getJob(deps.db, job.id)).dispatchedAt).not.toBeNull()
    expect(await repair('startAdmittedJobs')).toBe(0)
  })

  it('skips jobs that are new, wait for a slot, run, have ended or have a cancellation request', async () => {
    const jobs = [
      await oldJob({ admittedAt: new Date(Date.now() + 60_000) }),
      await oldJob({ admittedAt: null }),
      await oldJob({ status: 'running' }),
      await oldJob(),
      await oldJob(),
    ]
    await settleJob(deps.db, jobs[3]?.id ?? '', { code: 'canceled', message: 'Canceled.' })
    await requestCancellation(deps.db, jobs[4]?.id ?? '')
    expect(await repair('startAdmittedJobs')).toBe(0)
    for (const { id } of jobs) expect(await deps.jobs.isOpen(id)).toBe(false)
  })

  it('starts the other jobs when one cannot be started', async () => {
    const jobs = [await oldJob(), await oldJob(), await oldJob()]
    const start: Dependencies['jobs']['start'] = async (input) => {
      if (input.jobId === jobs[0]?.id) throw new Error('refused')
      await deps.jobs.start(input)
    }
    expect(await repair('startAdmittedJobs', { jobs: { ...deps.jobs, start } })).toBe(2)
    expect((await getJob(deps.db, jobs[0]?.id ?? '')).dispatchedAt).toBeNull()
    expect(await deps.jobs.isOpen(jobs[2]?.id ?? '')).toBe(true)
  })

  it('fails if Temporal takes none', async () => {
    await oldJob()
    const start = async () => {
      throw new Error('no answer')
    }
    await expect(repair('startAdmittedJobs', { jobs: { ...deps.jobs, start } })).rejects.toThrow('no answer')
  })
})

describe('endAbandonedRuns', () => {
  /** A run with its first job, both created a minute ago. */
  async function oldRun() {
    const job = await oldJob({ dispatchedAt: long() })
    const run = await deps.db.workflowRun.create({
      data: {
        ...{ id: newId('run'), accountId: job.accountId, requestId: job.requestId, chain: 'remove-dead-space' },
        ...{ mediaUrl: 'https://media.example/a.mp4', mediaSeconds: 6, settings: {}, limitMicroUsd: 5_000n },
        createdAt: long(),
      },
    })
    await deps.db.job.update({ where: { id: job.id }, data: { runId: run.id } })
    return { runId: run.id, job }
  }
  const errorOf = async (runId: string) => (await deps.db.workflowRun.findUniqueOrThrow({ where: { id: runId } })).error

  it('ends a run without a workflow, after its jobs and as they ended', async () => {
    const { runId, job } = await oldRun()
    expect(await repair('endAbandonedRuns')).toBe(0)
    expect(await repair('endAbandonedJobs')).toBe(1)
    expect(await repair('endAbandonedRuns')).toBe(1)
    expect(await errorOf(runId)).toMatchObject({ code: 'server_error' })
    expect(await ledgerOf(job.id)).toEqual(['hold', 'release'])
    expect(await repair('endAbandonedRuns')).toBe(0)
  })

  it('does not touch the run and its jobs while its workflow is open', async () => {
    const { runId, job } = await oldRun()
    await deps.jobs.startRun({ runId, accountId: job.accountId, summary: 'chain' })
    expect(await repair('endAbandonedJobs')).toBe(0)
    await settleJob(deps.db, job.id, { code: 'canceled', message: 'Canceled.' })
    expect(await repair('endAbandonedRuns')).toBe(0)
    expect(await errorOf(runId)).toBeNull()
    await temporal.workflow.getHandle(runId).terminate()
    expect(await repair('endAbandonedRuns')).toBe(1)
  })

  it('starts the run of a first job that never reached Temporal, not the job', async () => {
    const { runId, job } = await oldRun()
    await deps.db.job.update({ where: { id: job.id }, data: { dispatchedAt: null } })
    expect(await repair('startAdmittedJobs')).toBe(1)
    expect([await deps.jobs.isOpen(runId), await deps.jobs.isOpen(job.id)]).toEqual([true, false])
    await temporal.workflow.getHandle(runId).terminate()
  })
})

describe('admitWaitingJobs', () => {
  it('assigns exactly the free slots to the oldest waiting jobs of each account', async () => {
    const accountId = await createAccount(deps.db, 'waiting')
    const accept = async () => (await acceptClip(deps.db, accountId, { seconds: 6, slots: 0 })).job
    const jobs = [await accept(), await accept(), await accept()]
    expect(jobs.map(({ admittedAt }) => admittedAt)).toEqual([null, null, null])
    expect(await repair('admitWaitingJobs', { slotLimits: sameSlots(2) })).toBe(2)
    expect(await Promise.all(jobs.map(({ id }) => deps.jobs.isOpen(id)))).toEqual([true, true, false])
    expect(await repair('admitWaitingJobs', { slotLimits: sameSlots(2) })).toBe(0)
    await settleJob(deps.db, jobs[0]?.id ?? '', { code: 'server_error', message: 'Failed.' })
    expect(await repair('admitWaitingJobs', { slotLimits: sameSlots(2) })).toBe(1)
    expect(await deps.jobs.isOpen(jobs[2]?.id ?? '')).toBe(true)
  })
})

describe('resendCancellations', () => {
  it('cancels running jobs, and ends jobs that never started without a charge', async () => {
    const [running, waiting] = [await oldJob({ dispatchedAt: long() }), await oldJob({ admittedAt: null })]
    await startWorkflow(running)
    for (const { id } of [running, waiting]) {
      await requestCancellation(deps.db, id)
      await deps.db.job.update({ where: { id }, data: { cancelRequestedAt: long() } })
    }
    expect(await repair('resendCancellations')).toBe(2)
    const { raw } = await temporal.workflow.getHandle(running.id).describe()
    expect(raw.workflowExtendedInfo?.cancelRequested).toBe(true)
    expect(await getJob(deps.db, waiting.id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
    expect(await ledgerOf(waiting.id)).toEqual(['hold', 'release'])
    await temporal.workflow.getHandle(running.id).terminate()
  })
})

describe('endAbandonedJobs', () => {
  it.each([
    ['terminated by an operator', async (job: Job) => temporal.workflow.getHandle(job.id).terminate()],
    ['gone from Temporal', async (job: Job) => temporal.workflowService.deleteWorkflowExecution(deletion(job))],
  ])('ends a job whose workflow was %s: failed and released', async (_how, lose) => {
    const job = await oldJob({ dispatchedAt: long() })
    await startWorkflow(job)
    await markRunning(deps.db, job.id)
    expect(await repair('endAbandonedJobs')).toBe(0)
    await lose(job)
    await expect.poll(() => deps.jobs.isOpen(job.id)).toBe(false)
    expect(await repair('endAbandonedJobs')).toBe(1)
    expect(await getJob(deps.db, job.id)).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
    expect(await ledgerOf(job.id)).toEqual(['hold', 'release'])
    expect(await repair('endAbandonedJobs')).toBe(0)
  })

  it('ends with canceled if that was requested', async () => {
    const job = await oldJob({ dispatchedAt: long(), status: 'running' })
    await requestCancellation(deps.db, job.id)
    await repair('endAbandonedJobs')
    expect(await getJob(deps.db, job.id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
  })

  it('finds a job whose dispatch was not recorded, and skips jobs that never started', async () => {
    const [unnoted, never] = [await oldJob({ status: 'running', startedAt: long() }), await oldJob()]
    expect(await repair('endAbandonedJobs')).toBe(1)
    expect((await getJob(deps.db, unnoted.id)).status).toBe('failed')
    expect((await getJob(deps.db, never.id)).status).toBe('queued')
  })

  it('checks every open job, page by page', async () => {
    const jobs = await Promise.all(Array.from({ length: 5 }, () => oldJob({ dispatchedAt: long() })))
    const account = await createAccount(deps.db, 'many')
    const { job } = await acceptClip(deps.db, account, { seconds: 6 })
    const many = Array.from({ length: 420 }, () => ({ ...job, id: newId('job'), dispatchedAt: long() }))
    await deps.db.job.createMany({
      data: many.map(({ id, accountId, requestId, endpoint, rateMicroUsdPerMinute, dispatchedAt }) => {
        return { id, accountId, requestId, endpoint, rateMicroUsdPerMinute, dispatchedAt, settings: {} }
      }),
    })
    const seen = new Set<string>()
    const isOpen = async (jobId: string) => seen.add(jobId) !== undefined
    expect(await repair('endAbandonedJobs', { jobs: { ...deps.jobs, isOpen } })).toBe(0)
    expect([...jobs, ...many].every(({ id }) => seen.has(id))).toBe(true)
    await deps.db.job.deleteMany({ where: { accountId: account, id: { not: job.id } } })
  })

  it('ends nothing while Temporal does not answer', async () => {
    const job = await oldJob({ dispatchedAt: long() })
    const isOpen = async () => {
      throw new Error('no answer')
    }
    await expect(repair('endAbandonedJobs', { jobs: { ...deps.jobs, isOpen } })).rejects.toThrow('no answer')
    expect((await getJob(deps.db, job.id)).status).toBe('queued')
  })
})

it('a rule that is stopped begins no further row', async () => {
  const jobs = await Promise.all(Array.from({ length: 20 }, () => oldJob()))
  const stop = new AbortController()
  let started = 0
  const start = async () => {
    started += 1
    stop.abort()
  }
  const { startAdmittedJobs } = upkeepRuns({ ...deps, jobs: { ...deps.jobs, start } })
  await expect(startAdmittedJobs?.(stop.signal)).rejects.toThrow()
  expect(started).toBeLessThan(jobs.length)
})

describe('deleteDeadObjects', () => {
  it('deletes unpublished objects after the job has ended', async () => {
    const job = await oldJob({ dispatchedAt: long() })
    const folder = `outputs/${job.id}/dead-1`
    await stageFolder(deps.db, job.id, folder)
    await deps.storage.write(`${folder}/clip.mp4`, Readable.from(['x']), 'video/mp4')
    expect(await repair('deleteDeadObjects')).toBe(0)
    await draftClip(deps.db, job.id, 1000)
    await settleJob(deps.db, job.id)
    expect(await repair('deleteDeadObjects')).toBe(0)
    await deps.db.job.update({ where: { id: job.id }, data: { endedAt: long() } })
    expect(await repair('deleteDeadObjects')).toBe(1)
    expect(await deps.storage.stat(`${folder}/clip.mp4`)).toBeUndefined()
    expect(await repair('deleteDeadObjects')).toBe(0)
  })
})

/** An object with its row: an output of an ended job, or an upload. */
async function stored(kind: 'output' | 'upload', age: Date) {
  const job = await oldJob()
  const id = newId(kind === 'output' ? 'out' : 'upl')
  const objectKey = `${kind}s/${id}/clip.mp4`
  await deps.storage.write(objectKey, Readable.from(['x']), 'video/mp4')
  const described = { id, objectKey, fileName: 'clip.mp4', contentType: 'video/mp4' }
  if (kind === 'upload') {
    await deps.db.upload.create({ data: { ...described, accountId: job.accountId, expiresAt: age } })
  } else {
    const made = { jobId: job.id, position: 0, bytes: 1n, durationSeconds: 1, createdAt: age }
    await deps.db.output.create({ data: { ...described, ...made } })
  }
  await settleJob(deps.db, job.id, { code: 'canceled', message: 'Canceled.' })
  return { id, objectKey }
}

/** An open run without an open job. */
async function runOn(mediaKey: string) {
  return deps.db.workflowRun.create({
    data: {
      ...{ id: newId('run'), accountId: await createAccount(deps.db, 'run'), requestId: newId('req') },
      ...{ chain: 'remove-dead-space', mediaUrl: 'https://media.example/a.mp4', mediaKey, mediaSeconds: 6 },
      ...{ settings: {}, limitMicroUsd: 5_000n },
    },
  })
}

describe.each([
  ['deleteExpiredOutputs', 'output', daysAgo(31), daysAgo(29)],
  ['deleteExpiredUploads', 'upload', daysAgo(1), daysAgo(-1)],
] as const)('%s', (rule, kind, past, within) => {
  const rows = async (id: string) =>
    kind === 'output' ? deps.db.output.count({ where: { id } }) : deps.db.upload.count({ where: { id } })

  it('deletes object and row after their retention, and neither before', async () => {
    const [old, young] = [await stored(kind, past), await stored(kind, within)]
    expect(await repair(rule)).toBe(1)
    expect([await deps.storage.stat(old.objectKey), await rows(old.id)]).toEqual([undefined, 0])
    expect(await deps.storage.stat(young.objectKey)).toBeDefined()
    expect(await rows(young.id)).toBe(1)
  })

  it('waits for a job that still reads it', async () => {
    const old = await stored(kind, past)
    const reader = await oldJob()
    await deps.db.job.update({ where: { id: reader.id }, data: { mediaKey: old.objectKey } })
    expect(await repair(rule)).toBe(0)
    await settleJob(deps.db, reader.id, { code: 'canceled', message: 'Canceled.' })
    expect(await repair(rule)).toBe(1)
  })

  it('waits for a run that reads it, also between two of its steps', async () => {
    const old = await stored(kind, past)
    const { id: runId } = await runOn(old.objectKey)
    expect(await repair(rule)).toBe(0)
    await deps.db.workflowRun.update({ where: { id: runId }, data: { endedAt: new Date() } })
    expect(await repair(rule)).toBe(1)
  })

  it('keeps the row while the object cannot be deleted', async () => {
    const old = await stored(kind, past)
    const broken = async () => {
      throw new Error('storage is down')
    }
    await expect(repair(rule, { storage: { ...deps.storage, delete: broken } })).rejects.toThrow('storage is down')
    expect(await rows(old.id)).toBe(1)
    expect(await repair(rule)).toBe(1)
  })
})

it('deleteExpiredUploads gets past more uploads than a page that it cannot delete', async () => {
  const accountId = await createAccount(deps.db, 'stuck')
  const uploads = Array.from({ length: 505 }, (_, at) => ({
    ...{ id: newId('upl'), accountId, objectKey: `uploads/${accountId}/${at}`, fileName: 'a.mp4' },
    ...{ contentType: 'video/mp4', expiresAt: new Date(daysAgo(1).getTime() + at) },
  }))
  await deps.db.upload.createMany({ data: uploads })
  const stuck = new Set(uploads.slice(0, 500).map(({ objectKey }) => objectKey))
  const broken = async (key: string) => {
    if (stuck.has(key)) throw new Error('storage is down')
  }
  expect(await repair('deleteExpiredUploads', { storage: { ...deps.storage, delete: broken } })).toBe(5)
  await deps.db.upload.deleteMany({ where: { accountId } })
})

it('deleteExpiredUploads goes on while there are more than a page', async () => {
  const accountId = await createAccount(deps.db, 'many')
  const uploads = Array.from({ length: 1_100 }, (_, at) => ({
    ...{ id: newId('upl'), accountId, objectKey: `uploads/${accountId}/${at}`, fileName: 'a.mp4' },
    ...{ contentType: 'video/mp4', expiresAt: daysAgo(1) },
  }))
  await deps.db.upload.createMany({ data: uploads })
  expect(await repair('deleteExpiredUploads', { storage: { ...deps.storage, delete: async () => {} } })).toBe(1_100)
})

it('deleteExpiredUploads waits for a job that reads an upload as a picture', async () => {
  const old = await stored('upload', daysAgo(1))
  const reader = await oldJob()
  await deps.db.job.update({ where: { id: reader.id }, data: { settings: { upload_ids: [newId('upl'), old.id] } } })
  expect(await repair('deleteExpiredUploads')).toBe(0)
  await settleJob(deps.db, reader.id, { code: 'canceled', message: 'Canceled.' })
  expect(await repair('deleteExpiredUploads')).toBe(1)
})

describe('deleteExpiredJobs', () => {
  const kept = { jobRetentionDays: 90 }
  /** A job that ended at the time, as the only one of its account. */
  async function endedJob(endedAt: Date) {
    const { id } = await oldJob()
    await settleJob(deps.db, id, { code: 'canceled', message: 'Canceled.' })
    return deps.db.job.update({ where: { id }, data: { endedAt } })
  }
  const isDeleted = async ({ id }: { id: string }) => (await getJob(deps.db, id)).deletedAt !== null

  it('deletes nothing unless it is set', async () => {
    const old = await endedJob(daysAgo(4_000))
    expect(await repair('deleteExpiredJobs')).toBe(0)
    expect(await isDeleted(old)).toBe(false)
    await deps.db.job.update({ where: { id: old.id }, data: { endedAt: new Date() } })
  })

  it('deletes jobs that ended before, which finishDeletions erases down to what the ledger needs', async () => {
    const [old, young, open] = [await endedJob(daysAgo(91)), await endedJob(daysAgo(89)), await oldJob()]
    await deps.db.job.update({ where: { id: open.id }, data: { createdAt: daysAgo(91) } })
    expect(await repair('deleteExpiredJobs', kept)).toBe(1)
    expect(await repair('finishDeletions')).toBe(1)
    expect([await isDeleted(young), await isDeleted(open)]).toEqual([false, false])
    expect(await getJob(deps.db, old.id)).toMatchObject({
      ...{ endpoint: old.endpoint, status: 'failed', accountId: old.accountId },
      ...{ mediaUrl: null, settings: {}, error: null, deletedAt: expect.any(Date), erasedAt: expect.any(Date) },
    })
    expect(await ledgerOf(old.id)).toEqual(['hold', 'release'])
    expect(await repair('deleteExpiredJobs', kept)).toBe(0)
  })

  it('keeps a job until its outputs have expired', async () => {
    const { id } = await stored('output', daysAgo(91))
    const { jobId } = await deps.db.output.findUniqueOrThrow({ where: { id } })
    await deps.db.job.update({ where: { id: jobId }, data: { endedAt: daysAgo(91) } })
    expect(await repair('deleteExpiredJobs', kept)).toBe(0)
    expect(await repair('deleteExpiredOutputs')).toBe(1)
    expect(await repair('deleteExpiredJobs', kept)).toBe(1)
  })

  it('deletes a run with its jobs, and no job before its run', async () => {
    const job = await endedJob(daysAgo(91))
    const { id: runId } = await deps.db.workflowRun.create({
      data: {
        ...{ id: newId('run'), accountId: job.accountId, requestId: job.requestId, chain: 'remove-dead-space' },
        ...{ mediaUrl: 'https://media.example/a.mp4', mediaSeconds: 6, settings: {}, limitMicroUsd: 5_000n },
        endedAt: daysAgo(89),
      },
    })
    await deps.db.job.update({ where: { id: job.id }, data: { runId } })
    expect(await repair('deleteExpiredJobs', kept)).toBe(0)
    await deps.db.workflowRun.update({ where: { id: runId }, data: { endedAt: daysAgo(91) } })
    expect(await repair('deleteExpiredJobs', kept)).toBe(2)
    expect(await isDeleted(job)).toBe(true)
  })
})

it('forgetNotices deletes notices after a year, mailed or not', async () => {
  const accountId = await createAccount(deps.db, 'notices')
  const notice = (key: string, createdAt: Date, mailedAt: Date | null) => {
    return { id: newId('ntc'), accountId, kind: 'key_created', key, data: {}, createdAt, mailedAt }
  }
  await deps.db.notice.createMany({
    data: [
      notice('old', daysAgo(366), null),
      notice('old and mailed', daysAgo(367), daysAgo(366)),
      notice('young', daysAgo(364), null),
      notice('young and mailed', daysAgo(364), daysAgo(364)),
    ],
  })
  expect(await repair('forgetNotices')).toBe(2)
  const left = await deps.db.notice.findMany({ where: { accountId }, orderBy: { key: 'asc' } })
  expect(left.map(({ key }) => key)).toEqual(['young', 'young and mailed'])
})

describe('forgetIdempotencyKeys', () => {
  it('deletes records a day after their request', async () => {
    const accountId = await createAccount(deps.db, 'keys')
    const record = {
      accountId,
      method: 'POST',
      path: '/v1/jobs',
      bodyHash: new Uint8Array(32),
      createdId: newId('job'),
    }
    await deps.db.idempotencyRecord.createMany({
      data: [
        { ...record, key: 'old', createdAt: daysAgo(1.1) },
        { ...record, key: 'young', createdAt: daysAgo(0.9) },
      ],
    })
    expect(await repair('forgetIdempotencyKeys')).toBe(1)
    expect(await deps.db.idempotencyRecord.findMany({ where: { accountId } })).toMatchObject([{ key: 'young' }])
  })
})

it('forgetExpiredSignIns deletes expired sessions and verifications', async () => {
  const user = { id: newId('usr'), name: 'Ada', email: 'ada@example.com' }
  await deps.db.user.create({ data: user })
  for (const [name, expiresAt] of [['over', daysAgo(1)] as const, ['open', daysAgo(-1)] as const]) {
    await deps.db.session.create({ data: { id: newId('ses'), userId: user.id, token: name, expiresAt } })
    await deps.db.verification.create({ data: { id: newId('ver'), identifier: name, value: user.id, expiresAt } })
  }
  expect(await repair('forgetExpiredSignIns')).toBe(2)
  expect(await deps.db.session.findMany()).toMatchObject([{ token: 'open' }])
  expect(await deps.db.verification.findMany()).toMatchObject([{ identifier: 'open' }])
  expect(await repair('forgetExpiredSignIns')).toBe(0)
})

it('forgetUnconfirmedUsers deletes users who signed up days ago and confirmed no address', async () => {
  const old = daysAgo(3.1)
  const user = (email: string, more: object) => ({ id: newId('usr'), name: 'Bo', email, ...more })
  const users = [
    user('forgotten@example.com', { createdAt: old }),
    user('young@example.com', {}),
    user('confirmed@example.com', { createdAt: old, emailVerified: true }),
    user('with-account@example.com', { createdAt: old }),
  ]
  await deps.db.user.createMany({ data: users })
  const accountId = await createAccount(deps.db, 'owned')
  await deps.db.account.update({ where: { id: accountId }, data: { ownerId: users[3]?.id ?? '' } })
  expect(await repair('forgetUnconfirmedUsers')).toBe(1)
  const left = await deps.db.user.findMany({ where: { id: { in: users.map(({ id }) => id) } } })
  expect(left.map(({ email }) => email).toSorted()).toEqual([
    ...['confirmed@example.com', 'with-account@example.com', 'young@example.com'],
  ])
})

function deletion({ id: workflowId }: Job) {
  return { namespace: 'default', workflowExecution: { workflowId } }
}
