import { createReadStream } from 'node:fs'
import path from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Dependencies } from '../../activities/dependencies.ts'
import { inspectJob } from '../../activities/inspect.ts'
import { planParts, runPart } from '../../activities/parts.ts'
import { runJob } from '../../activities/run.ts'
import { deferLongWork } from '../../activities/slots.ts'
import { openFreeAccount } from '../../lab/lab-stack.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import type { Ffmpeg } from '../../src/core/ffmpeg.ts'
import { findDeadFolders, forgetStagedFolder, piecesFolder } from '../../src/jobs/analysis-rows.ts'
import { openPartAttempt } from '../../src/jobs/attempts.ts'
import { markRunning } from '../../src/jobs/job-changes.ts'
import { findResult, getJob } from '../../src/jobs/job-rows.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import type { RangedBytes } from '../../src/media/source/media-source.ts'
import { createRangedSources } from '../../src/media/source/ranged-source.ts'
import { acceptClip } from '../billing/jobs.ts'
import { fixture } from '../fixtures/make.ts'
import { rangedServer } from '../media/source/ranged-server.ts'
import { serveHttp } from '../media/source/source-server.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()
const { db } = deps

const ranges = [
  { start: 1, end: 100 },
  { start: 110.05, end: 200 },
  { start: 210, end: 290 },
]

/** Runs the work as an activity does. */
async function inActivity<T>(work: () => Promise<T>): Promise<T> {
  let done: Promise<T> | undefined
  await new MockActivityEnvironment({ attempt: 1 }).run(() => (done = work()))
  if (!done) throw new Error('the activity did not run')
  return done
}

type Media = Awaited<ReturnType<typeof storeFilm>>

async function storeFilm() {
  const key = `uploads/minutes-${Math.floor(performance.now() * 1000)}/media.mp4`
  const { generation } = await deps.storage.write(key, createReadStream(await fixture('five-minutes.mp4')), 'video/mp4')
  return { key, generation }
}

/** A running clip job on five minutes of film, after its inspection. */
async function inspectedJob(settings: object = { ranges }, window: object = {}, accountId?: string, media?: Media) {
  const { key, generation } = media ?? (await storeFilm())
  const { job } = await acceptClip(db, accountId ?? (await createAccount(db, 'parts')), { seconds: 300 })
  const whole = { startSeconds: null, endSeconds: null, ...window, mediaKey: key, mediaGeneration: generation }
  await db.job.update({ where: { id: job.id }, data: { ...whole, settings } })
  await markRunning(db, job.id)
  const inspected = await inActivity(async () => inspectJob(deps, await getJob(db, job.id)))
  return { jobId: job.id, inspected }
}

const plan = (jobId: string) => inActivity(async () => planParts(deps, await getJob(db, jobId)))

const runOne = (jobId: string, part: number, share: number, on: Dependencies = deps) =>
  inActivity(async () => runPart(on, await getJob(db, jobId), { jobId, part, share }))

/** Dependencies whose encodes of video are counted. */
function countingEncodes() {
  let encodes = 0
  const ffmpeg: Ffmpeg = {
    ...deps.ffmpeg,
    run: (options) => {
      if (options.outputOptions.includes('libx264')) encodes += 1
      return deps.ffmpeg.run(options)
    },
  }
  return { deps: { ...deps, ffmpeg }, encodes: () => encodes }
}

it('a short whose crop is corrected at a point makes one of its pieces again, and its receipt says so', async () => {
  const [accountId, film] = [await createAccount(db, 'parts'), await storeFilm()]
  const clip = async (x: number) => {
    const shots = [0, 15, 30, 45, 60, 75]
    const focus_points = shots.map((start) => ({ start: start + 4, end: start + 8, x: start === 45 ? x : 0.5, y: 0.5 }))
    const window = { startSeconds: 0, endSeconds: 90 }
    const settings = { aspect: '9:16', height: 640, focus: { x: 0.5, y: 0.5 }, focus_points }
    const { jobId, inspected } = await inspectedJob(settings, window, accountId, film)
    expect(inspected).not.toHaveProperty('isSplit')
    const made = countingEncodes()
    await inActivity(() => runJob(made.deps, { jobId }))
    await settleJob(db, jobId)
    const { receipt, ...result } = madeClip.parse(await findResult(db, jobId))
    return { encodes: made.encodes(), receipt, result }
  }
  const [first, moved] = [await clip(0.2), await clip(0.9)]
  expect([first.encodes, moved.encodes]).toEqual([6, 1])
  expect(first.receipt.pieces).toEqual({ rendered: 6, reused: 0 })
  expect(moved).toEqual({ ...first, encodes: 1, receipt: { ...first.receipt, pieces: { rendered: 1, reused: 5 } } })
})

const madeClip = z.looseObject({ receipt: z.looseObject({ pieces: z.unknown() }) })

describe('a long join in our storage', () => {
  it('is planned, made part by part on any worker, and put together without another encode', async () => {
    const { jobId, inspected } = await inspectedJob()
    expect(inspected).toMatchObject({ isSplit: true })
    const planned = await plan(jobId)
    const { shares } = planned
    // The sound, and 269 s of video: pieces of half a minute, and six shorter ones at the end.
    expect(shares).toHaveLength(1 + 5 + 6)
    expect(shares[0]).toBe(0)
    expect(shares.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1)
    expect(planned.shorterLast).toBe(6)
    expect(await plan(jobId)).toEqual(planned)

    const parts = countingEncodes()
    let before = 0
    for (const [part, share] of shares.entries()) {
      await runOne(jobId, part, share, parts.deps)
      const { progress } = await getJob(db, jobId)
      expect(progress).toBeCloseTo(before + share)
      before = progress
    }
    expect(parts.encodes()).toBe(5 + 6)

    const assembly = countingEncodes()
    await inActivity(() => runJob(assembly.deps, { jobId }))
    expect(assembly.encodes()).toBe(0)
    const { billedMilliseconds } = await settleJob(db, jobId)
    expect(billedMilliseconds).toBe(268_950n)
    expect(await db.output.count({ where: { jobId, role: 'media' } })).toBe(1)
  })

  it('leaves its pieces staged, and the counts of its parts go with them', async () => {
    const { jobId } = await inspectedJob()
    const { shares } = await plan(jobId)
    await runOne(jobId, 1, shares[1] ?? 0)
    await settleJob(db, jobId, { code: 'canceled', message: 'Canceled.' })
    const folder = piecesFolder(jobId, 'a1')
    const soon = new Date(Date.now() + 1000)
    const dead = await findDeadFolders(db, { endedBefore: soon, completedBefore: new Date(0) }, { limit: 1000 })
    expect(dead).toContain(folder)
    expect(await db.jobPart.count({ where: { folder } })).toBe(1)
    await forgetStagedFolder(db, folder)
    expect(await db.jobPart.count({ where: { folder } })).toBe(0)
    // A part that runs after the end does nothing.
    const ended = countingEncodes()
    await runOne(jobId, 2, shares[2] ?? 0, ended.deps)
    expect(ended.encodes()).toBe(0)
  })

  it('repeats a part from the store, and refuses one that lost ten workers; the job’s other parts go on', async () => {
    const { jobId } = await inspectedJob()
    const { shares } = await plan(jobId)
    const share = shares[1] ?? 0
    const again = countingEncodes()
    await runOne(jobId, 1, share)
    await runOne(jobId, 1, share, again.deps)
    expect(again.encodes()).toBe(0)
    expect(await db.jobPart.findFirst({ where: { folder: piecesFolder(jobId, 'a1') } })).toMatchObject({
      ...{ part: 1, attempts: 2, openAttempts: 0, progress: 1 },
    })
    const lost = { jobId, folder: piecesFolder(jobId, 'a1'), part: 2, share }
    for (let attempt = 0; attempt < 10; attempt += 1) await openPartAttempt(db, lost)
    await expect(runOne(jobId, 2, share)).rejects.toMatchObject({ code: 'processing_failed', retryable: false })
    // Several attempts that run simultaneously are not lost ones.
    await Promise.all([runOne(jobId, 3, share), runOne(jobId, 4, share), runOne(jobId, 0, 0)])
  })
})

it('a long window splits likewise, and is put together without another encode', async () => {
  const { jobId, inspected } = await inspectedJob({}, { startSeconds: 10.3, endSeconds: 200 })
  expect(inspected).toMatchObject({ isSplit: true })
  const { shares } = await plan(jobId)
  expect(shares).toHaveLength(1 + 3 + 6)
  for (const [part, share] of shares.entries()) await runOne(jobId, part, share)
  const assembly = countingEncodes()
  await inActivity(() => runJob(assembly.deps, { jobId }))
  expect(assembly.encodes()).toBe(0)
  const { billedMilliseconds } = await settleJob(db, jobId)
  expect(billedMilliseconds).toBe(189_700n)
})

it('the receipt of a clip from a server counts what all workers fetched', async () => {
  const { listener } = rangedServer(await fixture('five-minutes.mp4'))
  const mediaUrl = `http://127.0.0.1:${await serveHttp(listener)}/film.mp4`
  const opened: RangedBytes[] = []
  const worker = (name: string): Dependencies => {
    const sources = createRangedSources()
    onTestFinished(() => sources.end())
    const open: typeof sources.open = (jobId, ranges, options) => {
      opened.push(ranges)
      return sources.open(jobId, ranges, options)
    }
    const rangedSources = { ...sources, open }
    return { ...deps, rangedSources, workDir: path.join(deps.workDir, name), mediaAllowHosts: ['127.0.0.1'] }
  }
  const [first, second] = [worker('first'), worker('second')]

  const { job } = await acceptClip(db, await createAccount(db, 'parts'), { seconds: 300 })
  const asked = { startSeconds: null, endSeconds: null, settings: { ranges }, mediaUrl, mediaKey: null }
  const jobId = job.id
  await db.job.update({ where: { id: jobId }, data: asked })
  await markRunning(db, jobId)
  const inspected = await inActivity(async () => inspectJob(first, await getJob(db, jobId)))
  expect(inspected).toMatchObject({ isSplit: true })
  const { shares } = await inActivity(async () => planParts(second, await getJob(db, jobId)))
  for (const [part, share] of shares.entries()) await runOne(jobId, part, share, part % 2 === 0 ? first : second)
  await inActivity(() => runJob(first, { jobId }))

  // A part that is repeated stays done although the sum of the bytes is too large for the database.
  await db.job.update({ where: { id: jobId }, data: { fetchedBytes: 2n ** 63n - 1n } })
  const find = (id: string) => {
    const source = first.rangedSources.find(id)
    return source && { ...source, takeFetchedBytes: () => 1 }
  }
  await runOne(jobId, 0, 0, { ...first, rangedSources: { ...first.rangedSources, find } })
  await settleJob(db, jobId)

  const fetched = opened.map((source) => source.fetchedBytes())
  expect(fetched).toEqual([expect.toSatisfy((bytes) => bytes > 0), expect.toSatisfy((bytes) => bytes > 0)])
  const bytes_read = fetched.reduce((sum, bytes) => sum + bytes, 0)
  expect(await findResult(db, jobId)).toMatchObject({ receipt: { bytes_read } })
})

it.each([
  [
    'of less than two minutes',
    {
      ranges: [
        { start: 0, end: 50 },
        { start: 60, end: 120 },
      ],
    },
  ],
  ['in a file for each range', { ranges, join: false }],
  ['of sound alone', { ranges, audio_only: true }],
])('a clip %s does not split', async (_kind, settings) => {
  const { jobId, inspected } = await inspectedJob(settings)
  expect(inspected).not.toHaveProperty('isSplit')
  expect(inspected).toMatchObject({ jobEnded: false })
  expect(await getJob(db, jobId)).toMatchObject({ endedAt: null })
})

it('a run that was not short is stopped, closes its attempt, and completes in its next turn', async () => {
  const { jobId, inspected } = await inspectedJob({}, { startSeconds: 10, endSeconds: 20 })
  expect(inspected).toMatchObject({ isShort: true })
  const limit = new AbortController()
  const tooSlow: Ffmpeg = {
    ...deps.ffmpeg,
    run: (options) => {
      if (options.outputOptions.includes('libx264')) limit.abort()
      return deps.ffmpeg.run(options)
    },
  }
  const run = (signal: AbortSignal) => runJob({ ...deps, ffmpeg: tooSlow }, { jobId }, signal)
  expect(await inActivity(() => deferLongWork(run, limit.signal))).toEqual({ deferred: 'long_work' })
  expect(limit.signal.aborted).toBe(true)
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0, endedAt: null })
  await inActivity(() => runJob(deps, { jobId }))
  expect(await settleJob(db, jobId)).toMatchObject({ billedMilliseconds: 10_000n })
})

it('a job of an account without billing splits too, because its parts give their slots back', async () => {
  expect((await inspectedJob({ ranges }, {}, await openFreeAccount(db))).inspected).toMatchObject({ isSplit: true })
})
