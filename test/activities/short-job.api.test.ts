import { createReadStream } from 'node:fs'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it, vi } from 'vitest'
import type { Dependencies } from '../../activities/dependencies.ts'
import { inspectAndRun } from '../../activities/short-job.ts'
import { createAccount } from '../../src/accounts/create-account.ts'
import { randomText } from '../../src/core/ids.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { findDraft } from '../../src/store/drafts.ts'
import { getJob } from '../../src/store/jobs.ts'
import { openAttempt } from '../../src/store/open-attempts.ts'
import { acceptClip } from '../billing/jobs.ts'
import { film, fixture } from '../fixtures/make.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()
const { db } = deps
const never = new AbortController().signal

/** A job for a clip of this length, whose hold is provisional, on media in the storage. */
async function clipJob(seconds: number, file = film): Promise<string> {
  const key = `uploads/${randomText(8)}/media.mp4`
  const { generation } = await deps.storage.write(key, createReadStream(file), 'video/mp4')
  const { job } = await acceptClip(db, await createAccount(db, 'short jobs'), { seconds: null })
  await db.job.update({
    where: { id: job.id },
    data: { mediaKey: key, mediaGeneration: generation, endSeconds: seconds },
  })
  return job.id
}

const attempt = (jobId: string, { limit = never, ...changed }: Partial<Dependencies> & { limit?: AbortSignal } = {}) =>
  new MockActivityEnvironment({ attempt: 1 }).run(() => inspectAndRun({ ...deps, ...changed }, { jobId }, limit))

const entriesOf = async (jobId: string) =>
  (await db.ledgerEntry.findMany({ where: { jobId }, orderBy: { id: 'asc' } })).map(
    ({ kind, step }) => `${kind} ${step}`,
  )

/** ffmpeg that calls `before` at each run. */
const ffmpegAfter = (before: () => void): Dependencies['ffmpeg'] => ({
  ...deps.ffmpeg,
  run: (options) => {
    before()
    return deps.ffmpeg.run(options)
  },
})

/** A database that fails at the second transaction of an attempt: the first holds the price, the second finishes. */
function unfinishing(): Pick<Dependencies, 'db'> {
  let transactions = 0
  const refuse = () => Promise.reject(new Error('the database is down'))
  const get = (target: Dependencies['db'], name: string | symbol) => {
    if (name === '$transaction') transactions += 1
    return transactions > 1 && name === '$transaction' ? refuse : Reflect.get(target, name)
  }
  return { db: new Proxy(db, { get }) }
}

it('ends a short job', async () => {
  const jobId = await clipJob(1)
  const finished = { othersWait: false, isCompleted: true }
  expect(await attempt(jobId)).toMatchObject({ jobEnded: false, isRun: true, finished })
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0, status: 'completed' })
  const captures = async () => (await entriesOf(jobId)).filter((entry) => entry.startsWith('capture'))
  expect(await captures()).toHaveLength(1)
  expect(await attempt(jobId)).toEqual({ jobEnded: true })
  expect(await captures()).toHaveLength(1)
})

it('leaves the end of a job that it cannot finish; repeated, it does nothing twice', async () => {
  const jobId = await clipJob(1)
  expect(await attempt(jobId, unfinishing())).not.toHaveProperty('finished')
  const [draft, entries] = [await findDraft(db, jobId), await entriesOf(jobId)]
  expect(draft?.files).toHaveLength(2)
  expect(entries.filter((entry) => entry.endsWith('estimate'))).toHaveLength(1)

  const run = vi.fn()
  expect(await attempt(jobId, { ...unfinishing(), ffmpeg: ffmpegAfter(run) })).toMatchObject({ isRun: true })
  expect(run).not.toHaveBeenCalled()
  expect([await findDraft(db, jobId), await entriesOf(jobId)]).toEqual([draft, entries])
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0, status: 'running' })
  expect(await settleJob(db, jobId)).toMatchObject({ status: 'completed' })
  expect(await attempt(jobId)).toEqual({ jobEnded: true })
})

it('does no work when the account cannot pay for it', async () => {
  const jobId = await clipJob(5)
  const { accountId } = await getJob(db, jobId)
  await db.account.update({ where: { id: accountId }, data: { monthlyCapMicroUsd: 0n } })
  await db.job.update({ where: { id: jobId }, data: { rateMicroUsdPerMinute: 10_000_000n } })
  const run = vi.fn()
  await expect(attempt(jobId, { ffmpeg: ffmpegAfter(run) })).rejects.toMatchObject({ code: 'spend_cap_reached' })
  expect(run).not.toHaveBeenCalled()
  expect(await findDraft(db, jobId)).toBeUndefined()
})

it('only inspects when the run is not expected to be short', async () => {
  const jobId = await clipJob(280, await fixture('five-minutes.mp4'))
  const result = await attempt(jobId)
  expect(result).toMatchObject({ jobEnded: false, isSplit: true })
  expect(result).not.toHaveProperty('isRun')
  expect(await entriesOf(jobId)).toEqual(['hold create'])
})

it('gives a run back that takes longer than expected, with its hold and no open attempt', async () => {
  const jobId = await clipJob(1)
  const limit = new AbortController()
  const result = await attempt(jobId, { ffmpeg: ffmpegAfter(() => limit.abort()), limit: limit.signal })
  expect(result).toMatchObject({ jobEnded: false, isShort: false })
  expect(result).not.toHaveProperty('isRun')
  expect(await entriesOf(jobId)).toHaveLength(2)
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0 })
  expect(await findDraft(db, jobId)).toBeUndefined()
})

it('gives media back whose inspection takes longer than short work may', async () => {
  const jobId = await clipJob(1)
  await expect(attempt(jobId, { limit: AbortSignal.abort() })).rejects.toThrow()
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0, mediaInfo: null })
})

it('is not attempted again after two attempts that ended with their workers', async () => {
  const jobId = await clipJob(1)
  await openAttempt(db, jobId)
  await openAttempt(db, jobId)
  await expect(attempt(jobId)).rejects.toMatchObject({ code: 'processing_failed', retryable: false })
})
