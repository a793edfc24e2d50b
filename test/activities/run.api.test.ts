import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { runJob } from '../../activities/run.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { openAttempt } from '../../src/jobs/attempts.ts'
import { markRunning, recordDraft, recordMediaInfo } from '../../src/jobs/job-changes.ts'
import { getJob } from '../../src/jobs/job-rows.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { acceptClip, findDraft } from '../billing/jobs.ts'
import { film, speech } from '../fixtures/make.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()
const { db } = deps

/** A job on the film, inspected and ready to run. */
async function inspectedJob(): Promise<string> {
  const key = `uploads/film-${Math.floor(performance.now())}/media.mp4`
  const { generation } = await deps.storage.write(key, createReadStream(film), 'video/mp4')
  const { job } = await acceptClip(db, await createAccount(db, 'run'), { seconds: 1 })
  await db.job.update({ where: { id: job.id }, data: { mediaKey: key, mediaGeneration: generation } })
  await markRunning(db, job.id)
  await recordMediaInfo(db, job.id, await inspectFile(film, deps.ffmpeg, new AbortController().signal))
  return job.id
}

const attempt = (number: number, jobId: string, storage: Storage = deps.storage) =>
  new MockActivityEnvironment({ attempt: number }).run(() => runJob({ ...deps, storage }, { jobId }))

async function foldersOf(jobId: string): Promise<string[]> {
  const staged = await db.stagedFolder.findMany({ where: { jobId } })
  return staged.map(({ folder }) => folder)
}

it('an attempt that finds another’s draft deletes its own files and keeps the draft’s', async () => {
  const jobId = await inspectedJob()
  const winner = `outputs/${jobId}/1/clip.mp4`
  let own = ''
  // The first attempt, which was considered dead, records its draft while the second stores its file.
  const storage: Storage = {
    ...deps.storage,
    write: async (key, source, contentType, signal) => {
      if (!key.endsWith('.mp4')) return deps.storage.write(key, source, contentType, signal)
      own = key
      const { bytes } = await deps.storage.write(winner, createReadStream(film), contentType)
      const file = { objectKey: winner, fileName: 'clip.mp4', contentType, bytes, durationSeconds: 1 }
      const files = [{ ...file, width: null, height: null }]
      expect(await recordDraft(db, jobId, { result: {}, files, billedMilliseconds: 1000 })).toBe(true)
      return deps.storage.write(key, source, contentType, signal)
    },
  }
  await attempt(2, jobId, storage)
  expect((await findDraft(db, jobId))?.files.map(({ objectKey }) => objectKey)).toEqual([winner])
  expect(await deps.storage.stat(winner)).toBeDefined()
  expect(own).toMatch(/clip\.mp4$/)
  expect(await deps.storage.stat(own)).toBeUndefined()
  expect(await foldersOf(jobId)).toEqual([])
})

it('stages its folder before it stores files, publishes once, and can be repeated', async () => {
  const jobId = await inspectedJob()
  await attempt(2, jobId)
  await attempt(3, jobId)
  const [file] = (await findDraft(db, jobId))?.files ?? []
  const key = file?.objectKey ?? ''
  expect(await foldersOf(jobId)).toEqual([path.posix.dirname(key)])
  expect((await deps.storage.stat(key))?.bytes).toBe(file?.bytes)
  await expect(stat(path.join(deps.workDir, jobId))).resolves.toBeDefined()
  expect(await readdir(path.join(deps.workDir, jobId))).toEqual([])

  await settleJob(db, jobId)
  expect(await foldersOf(jobId)).toEqual([])
  expect(await db.output.findMany({ where: { jobId } })).toMatchObject([
    { objectKey: key, role: 'media' },
    { role: 'preview' },
  ])
})

it('warns of a timecode that cannot be read, because exports then begin at zero', async () => {
  const jobId = await inspectedJob()
  const info = await inspectFile(film, deps.ffmpeg, new AbortController().signal)
  await recordMediaInfo(db, jobId, { ...info, timecode: '01:00:00:99', timecodeBase: 25 })
  await attempt(1, jobId)
  expect((await findDraft(db, jobId))?.warnings).toEqual([
    'The timecode "01:00:00:99" of the media cannot be read. Exports for editors begin at 00:00:00:00.',
  ])
})

it('refuses media that changed after the inspection, before any work', async () => {
  const jobId = await inspectedJob()
  const { mediaKey } = await getJob(db, jobId)
  const { generation } = await deps.storage.write(mediaKey ?? '', createReadStream(speech), 'video/mp4')
  await db.job.update({ where: { id: jobId }, data: { mediaGeneration: generation } })
  await expect(attempt(1, jobId)).rejects.toMatchObject({ code: 'media_unreachable', retryable: false })
  expect(await foldersOf(jobId)).toEqual([])
})

it('an attempt with a repeated number, as after an operator’s reset, deletes nothing of the other', async () => {
  const jobId = await inspectedJob()
  await Promise.all([attempt(1, jobId), attempt(1, jobId)])
  await settleJob(db, jobId)
  const [output] = await db.output.findMany({ where: { jobId } })
  expect(await deps.storage.stat(output?.objectKey ?? '')).toBeDefined()
  expect(await foldersOf(jobId)).toEqual([])
})

it('an attempt whose storage fails leaves no objects, or keeps its folder staged if they cannot be deleted', async () => {
  const jobId = await inspectedJob()
  const broken = async () => {
    throw new Error('storage is down')
  }
  await expect(attempt(1, jobId, { ...deps.storage, write: broken })).rejects.toThrow('storage is down')
  expect(await foldersOf(jobId)).toEqual([])
  await expect(attempt(2, jobId, { ...deps.storage, write: broken, deleteUnder: broken })).rejects.toThrow()
  expect(await foldersOf(jobId)).toHaveLength(1)
})

it('is not attempted again after ten attempts that ended with their workers; attempts that failed do not count', async () => {
  const jobId = await inspectedJob()
  const broken = async () => {
    throw new Error('storage is down')
  }
  for (const number of [1, 2, 3]) {
    await expect(attempt(number, jobId, { ...deps.storage, write: broken })).rejects.toThrow('storage is down')
  }
  expect(await getJob(db, jobId)).toMatchObject({ openAttempts: 0 })
  // What a worker leaves that is killed.
  for (let lost = 0; lost < 9; lost += 1) await openAttempt(db, jobId)
  await expect(attempt(4, jobId, { ...deps.storage, write: broken })).rejects.toThrow('storage is down')
  await openAttempt(db, jobId)
  await expect(attempt(5, jobId)).rejects.toMatchObject({ code: 'processing_failed', retryable: false })
  expect(await findDraft(db, jobId)).toBeUndefined()
})
