import { describe, expect, it } from 'vitest'
import { finishRun } from '../../activities/finish.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { requestCancellation } from '../../src/jobs/job-changes.ts'
import { getJob } from '../../src/jobs/job-rows.ts'
import { canceledJob } from '../../src/jobs/settle-job.ts'
import { deliverCancellation, endJob } from '../../src/jobs/start-and-end.ts'
import { config, suspend } from '../accounts/owners.ts'
import { useDependencies } from '../activities/use-dependencies.ts'
import { acceptClip, draftClip, sameSlots } from '../billing/jobs.ts'

const all = await useDependencies()
const { db, jobs } = all
const deps = { ...all, slotLimits: sameSlots(1) }

const failure = { code: 'server_error', message: 'Failed.' } as const

/** The ids of a job that has the account's only slot, and of two that wait, the oldest first. */
async function threeJobs() {
  const accountId = await createAccount(db, 'slots')
  const accept = async () => (await acceptClip(db, accountId, { seconds: 1, slots: 1 })).job.id
  return { accountId, first: await accept(), second: await accept(), third: await accept() }
}

const admittedOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await getJob(db, id)).admittedAt !== null))

describe('the slot of a job that ends', () => {
  it.each(['completed', 'failed'])('passes to the oldest that waits, which starts: %s', async (status) => {
    const { first, second, third } = await threeJobs()
    if (status === 'completed') await draftClip(db, first, 1_000)
    const ended = await endJob(deps, first, status === 'completed' ? undefined : failure)
    expect([ended.status, ended.admitted.map(({ id }) => id)]).toEqual([status, [second]])
    expect(await jobs.isOpen(second)).toBe(true)
    expect((await getJob(db, second)).dispatchedAt).toBeInstanceOf(Date)
    expect(await admittedOf([second, third])).toEqual([true, false])
  })

  it('passes once, although its end repeats', async () => {
    const { first, second, third } = await threeJobs()
    const ends = await Promise.all([endJob(deps, first, failure), endJob(deps, first, failure)])
    expect(ends.flatMap(({ admitted }) => admitted.map(({ id }) => id))).toEqual([second])
    expect(await admittedOf([second, third])).toEqual([true, false])
  })

  it('passes, although Temporal does not take the job: upkeep starts it', async () => {
    const { first, second } = await threeJobs()
    const start = () => Promise.reject(new Error('no answer'))
    const ended = await endJob({ ...deps, jobs: { ...jobs, start } }, first, failure)
    expect(ended).toMatchObject({ status: 'failed', admitted: [{ id: second }] })
    expect(await getJob(db, second)).toMatchObject({ admittedAt: expect.any(Date), dispatchedAt: null })
  })

  it('passes at the cancellation of a job that never reached Temporal', async () => {
    const { first, second } = await threeJobs()
    await requestCancellation(db, first)
    await deliverCancellation(deps, first)
    expect((await getJob(db, first)).status).toBe('failed')
    expect(await jobs.isOpen(second)).toBe(true)
  })

  it('stays free if its account is suspended', async () => {
    const { accountId, first, second } = await threeJobs()
    await suspend({ db, config }, accountId)
    expect((await endJob(deps, first, failure)).admitted).toEqual([])
    expect(await admittedOf([second])).toEqual([false])
  })

  it('stays with its run, whose end passes it on', async () => {
    const { accountId, first, second } = await threeJobs()
    const run = { id: `run_${first}`, accountId, requestId: 'req_a', chain: 'remove-dead-space', settings: {} }
    await db.workflowRun.create({
      data: { ...run, mediaUrl: 'https://media.example/a.mp4', mediaSeconds: 1, limitMicroUsd: 0n },
    })
    await db.job.update({ where: { id: first }, data: { runId: run.id } })
    expect((await endJob(deps, first, failure)).admitted).toEqual([])
    expect(await admittedOf([second])).toEqual([false])
    await finishRun(deps, { runId: run.id, failure })
    expect(await jobs.isOpen(second)).toBe(true)
  })
})

it('a job that ends while it waits passes no slot on', async () => {
  const { second, third } = await threeJobs()
  expect((await endJob(deps, second, canceledJob)).admitted).toEqual([])
  expect(await admittedOf([third])).toEqual([false])
})
