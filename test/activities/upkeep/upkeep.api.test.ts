import { Readable } from 'node:stream'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dependencies } from '../../../activities/dependencies.ts'
import { upkeepRules, upkeepRuns } from '../../../activities/upkeep/index.ts'
import { createAccount } from '../../../src/accounts/own-account.ts'
import { newId } from '../../../src/core/ids.ts'
import { stageFolder } from '../../../src/jobs/analysis-rows.ts'
import { markRunning, requestCancellation } from '../../../src/jobs/job-changes.ts'
import { getJob, type Job } from '../../../src/jobs/job-rows.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { claimUpload, createUpload } from '../../../src/uploads/uploads.ts'
import { acceptClip, draftClip, sameSlots } from '../../billing/jobs.ts'
import { temporalAddress } from '../../setup/temporal.ts'
import { long, useUpkeep } from './use-upkeep.ts'

const { deps, repair, oldJob, ledgerOf } = await useUpkeep()
let temporal: Client

beforeAll(async () => {
  temporal = new Client({ connection: await Connection.connect({ address: temporalAddress }) })
})

afterAll(() => temporal.connection.close())

async function startWorkflow({ id: jobId, accountId, endpoint }: Job): Promise<void> {
  await deps.jobs.start({ jobId, accountId, endpoint, summary: endpoint })
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

it('startDueDeliveries starts each of more endpoints than a page once, although all stay due', async () => {
  const accountId = await createAccount(deps.db, 'receiver')
  await deps.db.$executeRaw`INSERT INTO webhook_endpoints (id, account_id, url, secret, event_types)
    SELECT 'whe_due' || n, ${accountId}, 'https://hangs.example/', '', '{}' FROM generate_series(1, 600) AS n`
  await deps.db.$executeRaw`INSERT INTO events (id, account_id, type, subject_id, payload)
    VALUES ('evt_due', ${accountId}, 'job.completed', 'job_due', '{}')`
  await deps.db.$executeRaw`INSERT INTO webhook_deliveries (endpoint_id, event_id)
    SELECT id, 'evt_due' FROM webhook_endpoints WHERE account_id = ${accountId}`
  const started: string[] = []
  const startDeliveries: Dependencies['jobs']['startDeliveries'] = async ({ endpointId }) => {
    started.push(endpointId)
  }
  await repair('startDueDeliveries', { jobs: { ...deps.jobs, startDeliveries } })
  expect([started.length, new Set(started).size]).toEqual([600, 600])
  await deps.db.webhookEndpoint.deleteMany({ where: { accountId } })
})

describe('recordArrivals', () => {
  const limits = { maxBytesInFlight: 1e6, storageLimits: { perAccount: 1e6, beforePayment: 1e6 } }

  /** An upload whose PUT ended without a word, after it had stored the bytes or before. */
  async function lapsed(bytes?: string) {
    const id = newId('upl')
    const objectKey = `uploads/${id}/media.mp4`
    const accountId = await createAccount(deps.db, 'sender')
    const file = { objectKey, fileName: 'a.mp4', contentType: 'video/mp4', expiresAt: new Date(Date.now() + 1e6) }
    await createUpload(deps.db, { id, accountId, ...file })
    await claimUpload(deps.db, { key: objectKey, bytes: 5, ...limits })
    if (bytes !== undefined) await deps.storage.create(objectKey, Readable.from([bytes]), 'video/mp4')
    await deps.db.upload.update({ where: { id }, data: { claimEndsAt: new Date(Date.now() - 1) } })
    return id
  }
  const eventsOf = (subjectId: string) => deps.db.event.findMany({ where: { subjectId }, select: { type: true } })
  const rowOf = (id: string) => deps.db.upload.findUniqueOrThrow({ where: { id } })

  it('tells once of an upload that was stored while the database gave no answer', async () => {
    const id = await lapsed('bytes')
    expect(await repair('recordArrivals')).toBe(1)
    expect(await rowOf(id)).toMatchObject({ bytes: 5n, claimId: null, claimEndsAt: null })
    expect(await eventsOf(id)).toEqual([{ type: 'upload.received' }])
    expect(await repair('recordArrivals')).toBe(0)
  })

  it('leaves a PUT alone that has stored nothing: it may go on when the database is back', async () => {
    const id = await lapsed()
    const before = await rowOf(id)
    expect(await repair('recordArrivals')).toBe(0)
    expect(await rowOf(id)).toEqual(before)
  })
})

describe('admitWaitingJobs', () => {
  it('reports no fault: an account that begins to pay gets more slots', () => {
    expect(upkeepRules.admitWaitingJobs).not.toHaveProperty('cause')
  })

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

it('an account that cannot be erased delays no deletion of others', async () => {
  const refused = await createAccount(deps.db, 'refused')
  await deps.db.account.update({ where: { id: refused }, data: { deletedAt: long() } })
  const { id } = await oldJob()
  await settleJob(deps.db, id, { code: 'canceled', message: 'Canceled.' })
  await deps.db.job.update({ where: { id }, data: { deletedAt: long() } })
  const forgetCustomer = async () => {
    throw new Error('refused')
  }
  const billing = { ...deps.billing, forgetCustomer }
  const failing = ['eraseAccounts', 'finishDeletions'].map((rule) => repair(rule, { billing }))
  await Promise.allSettled(failing)
  expect((await getJob(deps.db, id)).erasedAt).not.toBeNull()
  await expect(failing[0]).rejects.toThrow('refused')
  expect(await repair('eraseAccounts')).toBe(1)
})

function deletion({ id: workflowId }: Job) {
  return { namespace: 'default', workflowExecution: { workflowId } }
}
