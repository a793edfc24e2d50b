import { createReadStream } from 'node:fs'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it, vi } from 'vitest'
import type { Dependencies } from '../../activities/dependencies.ts'
import { holdPrice } from '../../activities/inspect.ts'
import { runJob } from '../../activities/run.ts'
import { inspectAndRun } from '../../activities/short-job.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { randomText } from '../../src/core/ids.ts'
import { openAttempt } from '../../src/jobs/attempts.ts'
import { getJob } from '../../src/jobs/job-rows.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { acceptClip, clipPrice, findDraft } from '../billing/jobs.ts'
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

const asActivity = <T>(work: () => Promise<T>) => new MockActivityEnvironment({ attempt: 1 }).run(work)

const attempt = (jobId: string, { limit = never, ...changed }: Partial<Dependencies> & { limit?: AbortSignal } = {}) =>
  asActivity(() => inspectAndRun({ ...deps, ...changed }, { jobId }, limit))

const entriesOf = async (jobId: string) =>
  (await db.ledgerEntry.findMany({ where: { jobId } })).map(({ kind, step }) => `${step}: ${kind}`).sort()

/** ffmpeg that calls `before` at each run. */
const ffmpegAfter = (before: () => void): Dependencies['ffmpeg'] => ({
  ...deps.ffmpeg,
  run: (options) => {
    before()
    return deps.ffmpeg.run(options)
  },
})

/** A database without transactions, so that no job can end. */
function unfinishing(): Pick<Dependencies, 'db'> {
  const refuse = () => Promise.reject(new Error('the database is down'))
  const get = (target: Dependencies['db'], name: string | symbol) =>
    name === '$transaction' ? refuse : Reflect.get(target, name)
  return { db: new Proxy(db, { get }) }
}

/** A database that refuses statements with this text. */
function refusingTo(text: string): Dependencies['db'] {
  const queryRaw = (strings: TemplateStringsArray, ...values: unknown[]) =>
    strings.join('').includes(text)
      ? Promise.reject(new Error('the database is down'))
      : db.$queryRaw(strings, ...values)
  const get = (target: Dependencies['db'], name: string | symbol) =>
    name === '$queryRaw' ? queryRaw : Reflect.get(target, name)
  return new Proxy(db, { get })
}

it('ends a short job, and fits its hold with its end', async () => {
  const jobId = await clipJob(1)
  const finished = { isCompleted: true }
  expect(await attempt(jobId)).toMatchObject({ jobEnded: false, isShort: true, finished })
  const job = await getJob(db, jobId)
  expect(job).toMatchObject({ openAttempts: 0, status: 'completed', mediaInfo: { format: 'mp4' } })
  expect(job.startedAt).toBeInstanceOf(Date)
  const entries = ['create: hold', 'estimate: release', 'finish: capture']
  expect(await entriesOf(jobId)).toEqual(entries)
  expect(await attempt(jobId)).toEqual({ jobEnded: true, finished })
  expect(await entriesOf(jobId)).toEqual(entries)
})

it('shows that the job runs, its media and what it costs at most, during the run', async () => {
  const jobId = await clipJob(1)
  const seen = vi.fn()
  const run: Dependencies['ffmpeg']['run'] = async (options) => {
    await vi.waitUntil(async () => (await getJob(db, jobId)).status === 'running', 60_000)
    const { mediaInfo, estimatedMicroUsd } = await getJob(db, jobId)
    seen({ mediaInfo, estimatedMicroUsd })
    return deps.ffmpeg.run(options)
  }
  await attempt(jobId, { ffmpeg: { ...deps.ffmpeg, run } })
  const estimatedMicroUsd = clipPrice(1)
  expect(seen).toHaveBeenCalledWith({ mediaInfo: expect.objectContaining({ format: 'mp4' }), estimatedMicroUsd })
})

it('fails, and closes its attempt, when the start cannot be recorded and the run takes longer than expected', async () => {
  const jobId = await clipJob(1)
  const limit = new AbortController()
  const refusing = { db: refusingTo('RETURNING started_at') }
  const ffmpeg = ffmpegAfter(() => limit.abort())
  await expect(attempt(jobId, { ...refusing, ffmpeg, limit: limit.signal })).rejects.toThrow('the database is down')
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0, status: 'queued', mediaInfo: null })
})

it('closes its attempt when this worker does not know the endpoint', async () => {
  const jobId = await clipJob(1)
  await db.job.update({ where: { id: jobId }, data: { endpoint: 'video/of-a-later-version' } })
  await expect(attempt(jobId)).rejects.toThrow()
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0 })
})

it('raises a hold that does not cover the price before the run', async () => {
  const jobId = await clipJob(5)
  await db.job.update({ where: { id: jobId }, data: { rateMicroUsdPerMinute: 1_000_000n } })
  const held = vi.fn()
  const run: Dependencies['ffmpeg']['run'] = async (options) => {
    held(await entriesOf(jobId))
    return deps.ffmpeg.run(options)
  }
  expect(await attempt(jobId, { ffmpeg: { ...deps.ffmpeg, run } })).toHaveProperty('finished')
  expect(held).toHaveBeenCalledWith(['create: hold', 'estimate: hold'])
  expect(await entriesOf(jobId)).toEqual(['create: hold', 'estimate: hold', 'finish: capture'])
})

it('leaves a job that it cannot end to the separate activities', async () => {
  const jobId = await clipJob(1)
  const result = await attempt(jobId, unfinishing())
  expect(result).toMatchObject({ jobEnded: false, isShort: true })
  expect(result).not.toHaveProperty('finished')
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0, status: 'running', mediaInfo: { format: 'mp4' } })
  expect(await entriesOf(jobId)).toEqual(['create: hold'])

  await asActivity(() => holdPrice(deps, { jobId }))
  await asActivity(() => runJob(deps, { jobId }))
  const [draft, run] = [await findDraft(db, jobId), vi.fn()]
  expect(draft?.files).toHaveLength(2)
  expect(await attempt(jobId, { ffmpeg: ffmpegAfter(run) })).not.toHaveProperty('finished')
  expect(run).not.toHaveBeenCalled()
  expect(await findDraft(db, jobId)).toEqual(draft)
  expect(await settleJob(db, jobId)).toMatchObject({ status: 'completed' })
  expect(await attempt(jobId)).toMatchObject({ jobEnded: true, finished: { isCompleted: true } })
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
  expect(result).not.toHaveProperty('finished')
  expect(await entriesOf(jobId)).toEqual(['create: hold'])
})

it('gives a run back that takes longer than expected, with its media and no open attempt', async () => {
  const jobId = await clipJob(1)
  const limit = new AbortController()
  const result = await attempt(jobId, { ffmpeg: ffmpegAfter(() => limit.abort()), limit: limit.signal })
  expect(result).toEqual({ jobEnded: false, mediaSeconds: expect.any(Number), billableSeconds: 1, isStreamed: false })
  expect(await entriesOf(jobId)).toEqual(['create: hold'])
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0, mediaInfo: { format: 'mp4' } })
  expect(await findDraft(db, jobId)).toBeUndefined()
})

it('gives media back whose inspection takes longer than short work may', async () => {
  const jobId = await clipJob(1)
  await expect(attempt(jobId, { limit: AbortSignal.abort() })).rejects.toThrow()
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0, mediaInfo: null })
})

it('is not attempted again after ten attempts that ended with their workers', async () => {
  const jobId = await clipJob(1)
  for (let lost = 0; lost < 10; lost += 1) await openAttempt(db, jobId)
  await expect(attempt(jobId)).rejects.toMatchObject({ code: 'processing_failed', retryable: false })
})
