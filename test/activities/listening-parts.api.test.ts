import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import type { Dependencies } from '../../activities/dependencies.ts'
import { inspectJob } from '../../activities/inspect.ts'
import { planParts, runPart } from '../../activities/parts.ts'
import { runJob } from '../../activities/run.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { newId } from '../../src/core/ids.ts'
import { acceptJob } from '../../src/jobs/accept.ts'
import { markRunning } from '../../src/jobs/job-changes.ts'
import { getJob, findResult, type MediaReference } from '../../src/jobs/job-rows.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { createRangedSources } from '../../src/media/source/ranged-source.ts'
import { sameSlots } from '../billing/jobs.ts'
import { fixture } from '../fixtures/make.ts'
import { rangedServer } from '../media/source/ranged-server.ts'
import { serveHttp } from '../media/source/source-server.ts'
import { useDependencies } from './use-dependencies.ts'

const deps: Dependencies = { ...(await useDependencies()), mediaAllowHosts: ['127.0.0.1'] }
const { db } = deps

const inActivity = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment({ attempt: 1 }).run(work)

/** A running job that listens to the media, after its inspection. */
async function inspectedJob(accountId: string, reference: MediaReference) {
  const { job } = await acceptJob(db, {
    ...{ jobId: newId('job'), accountId, requestId: newId('req'), endpoint: 'audio/detect-silence', settings: {} },
    ...{ warnings: [], reference, rateMicroUsdPerMinute: 2_000n, maxPriceMicroUsd: undefined },
    ...{ slotLimits: sameSlots(100), maxWaitingJobs: 100, apiKeyId: null },
    window: { startSeconds: null, endSeconds: null },
  })
  await markRunning(db, job.id)
  const inspected = await inActivity(async () => inspectJob(deps, await getJob(db, job.id)))
  return { jobId: job.id, inspected }
}

async function upload(file: string): Promise<MediaReference> {
  const key = `uploads/${newId('upl')}/media`
  const { generation } = await deps.storage.write(key, createReadStream(file), 'application/octet-stream')
  return { url: `http://127.0.0.1:1/v1/media/${key}`, object: { key, generation }, name: null }
}

async function onServer(file: string): Promise<MediaReference> {
  const { listener } = rangedServer(await readFile(file))
  return { url: `http://127.0.0.1:${await serveHttp(listener)}/media`, object: null, name: null }
}

const plan = (jobId: string) => inActivity(async () => planParts(deps, await getJob(db, jobId)))

/** Dependencies that count how often sound is decoded. */
function countingDecoders() {
  let decoders = 0
  const run: Dependencies['ffmpeg']['run'] = (options) => {
    if (typeof options.output === 'function') decoders += 1
    return deps.ffmpeg.run(options)
  }
  return { deps: { ...deps, ffmpeg: { ...deps.ffmpeg, run } }, decoders: () => decoders }
}

const newAccount = () => createAccount(db, 'listening')

/** The bytes of the account's only analysis. */
async function analysisOf(accountId: string): Promise<Buffer> {
  const { objectKey } = await db.analysis.findFirstOrThrow({ where: { accountId } })
  return buffer(await deps.storage.read(objectKey))
}

it('half an hour of sound is measured in parts on any worker; result and analysis are those of one run', async () => {
  const file = await fixture('half-hour.m4a')
  const [accountId, media] = [await newAccount(), await upload(file)]
  const { jobId, inspected } = await inspectedJob(accountId, media)
  expect(inspected).toMatchObject({ isSplit: true, isStreamed: false })
  const { shares } = await plan(jobId)
  expect(shares).toHaveLength(4)

  const workers = countingDecoders()
  let before = 0
  for (const [part, share] of shares.entries()) {
    await inActivity(async () => runPart(workers.deps, await getJob(db, jobId), { jobId, part, share }))
    const { progress } = await getJob(db, jobId)
    expect(progress).toBeCloseTo(before + share)
    before = progress
  }
  await inActivity(async () => runPart(workers.deps, await getJob(db, jobId), { jobId, part: 2, share: 0.25 }))
  await inActivity(() => runJob(workers.deps, { jobId }))
  expect(workers.decoders()).toBe(4)
  await settleJob(db, jobId)

  const other = await newAccount()
  const inOneRun = await inspectedJob(other, await upload(file))
  await inActivity(() => runJob(deps, { jobId: inOneRun.jobId }))
  await settleJob(db, inOneRun.jobId)
  expect(await findResult(db, jobId)).toEqual(await findResult(db, inOneRun.jobId))
  expect((await analysisOf(accountId)).equals(await analysisOf(other))).toBe(true)

  const again = await inspectedJob(accountId, media)
  expect(await plan(again.jobId)).toEqual({ shares: [] })
})

it('a server’s media is measured in parts that wait for it, unless it has to be downloaded whole', async () => {
  const film = await inspectedJob(await newAccount(), await onServer(await fixture('half-hour.m4a')))
  expect(film.inspected).toMatchObject({ isSplit: true, isStreamed: true })
  const podcast = await inspectedJob(await newAccount(), await onServer(await fixture('half-hour.mp3')))
  expect(podcast.inspected).not.toHaveProperty('isSplit')
})

it('is put together on a worker that cannot reach the media any more: all of it was measured', async () => {
  const { jobId } = await inspectedJob(await newAccount(), await onServer(await fixture('half-hour.m4a')))
  const { shares } = await plan(jobId)
  for (const [part, share] of shares.entries())
    await inActivity(async () => runPart(deps, await getJob(db, jobId), { jobId, part, share }))
  const workDir = path.join(deps.workDir, 'other')
  const other = { ...deps, workDir, rangedSources: createRangedSources(), mediaAllowHosts: [] }
  await inActivity(() => runJob(other, { jobId }))
  await settleJob(db, jobId)
  expect(await findResult(db, jobId)).toHaveProperty('silences')
})

it('a quarter of an hour is measured in one run', async () => {
  const { inspected } = await inspectedJob(await newAccount(), await upload(await fixture('quarter-hour.m4a')))
  expect(inspected).not.toHaveProperty('isSplit')
})
