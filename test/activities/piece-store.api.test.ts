import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPieceStore } from '../../activities/analysis-stores.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { findDeadFolders, piecesFolder } from '../../src/jobs/analysis-rows.ts'
import type { Job } from '../../src/jobs/job-rows.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { acceptClip, draftClip } from '../billing/jobs.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()
let folder = ''
const { signal } = new AbortController()

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pieces-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

it('a saved piece is the same on a storage that is on no disk of this machine', async () => {
  const { db, storage } = deps
  const { job } = await acceptClip(db, await createAccount(db, 'pieces'), { seconds: 1 })
  const [made, found] = [path.join(folder, 'long.mp4'), path.join(folder, 'long-found.mp4')]
  const bytes = randomBytes(3_000_000)
  await writeFile(made, bytes)
  await openPieceStore(deps, job).save('piece-1.mp4', { file: made, decodeErrors: 7 }, signal)
  const elsewhere = { ...deps, storage: { ...storage, localPath: async () => undefined } }
  // As if another worker stored the piece again between the two steps.
  const replaced = { ...deps, storage: { ...storage, localPath: async () => path.join(folder, 'gone') } }
  for (const each of [deps, elsewhere, replaced]) {
    expect(await openPieceStore(each, job).restore('piece-1.mp4', found, signal)).toEqual({
      decodeErrors: 7,
      isReused: false,
    })
    expect((await readFile(found)).equals(bytes)).toBe(true)
  }
  const gone = openPieceStore(deps, job).save('piece-2.mp4', { file: `${made}.gone`, decodeErrors: 0 }, signal)
  await expect(gone).rejects.toThrow('ENOENT')
  expect(await openPieceStore(deps, job).restore('piece-2.mp4', found, signal)).toBeUndefined()
})

it('a stored piece that has lost its end is made again', async () => {
  const { db, storage } = deps
  const { job } = await acceptClip(db, await createAccount(db, 'pieces'), { seconds: 1 })
  const [made, found] = [path.join(folder, 'cut.mp4'), path.join(folder, 'cut-found.mp4')]
  await writeFile(made, '')
  const store = openPieceStore(deps, job)
  await store.save('piece-1.mp4', { file: made, decodeErrors: 0 }, signal)
  const key = `${piecesFolder(job.id, deps.ffmpegBuild)}/piece-1.mp4`
  await storage.write(key, Readable.from(Buffer.alloc(3)), 'application/octet-stream', signal)
  expect(await store.restore('piece-1.mp4', found, signal)).toBeUndefined()
})

it("a saved piece is available to the next attempt, and to upkeep after the job's end", async () => {
  const { db } = deps
  const { job } = await acceptClip(db, await createAccount(db, 'pieces'), { seconds: 1 })
  const [made, found] = [path.join(folder, 'made.mp4'), path.join(folder, 'found.mp4')]
  await writeFile(made, 'frames')

  expect(await openPieceStore(deps, job).restore('piece-1.mp4', found, signal)).toBeUndefined()
  await openPieceStore(deps, job).save('piece-1.mp4', { file: made, decodeErrors: 3 }, signal)
  expect(await openPieceStore(deps, job).restore('piece-1.mp4', found, signal)).toEqual({
    decodeErrors: 3,
    isReused: false,
  })
  const otherBuild = { ...deps, ffmpegBuild: 'b2' }
  expect(await openPieceStore(otherBuild, job).restore('piece-1.mp4', found, signal)).toBeUndefined()
  expect(await readFile(found, 'utf8')).toBe('frames')

  await settleJob(db, job.id, { code: 'canceled', message: 'Canceled.' })
  expect(await deadFolders(new Date(0))).toEqual([`outputs/${job.id}/pieces-5-a1`])
})

async function deadFolders(completedBefore: Date) {
  return findDeadFolders(deps.db, { endedBefore: new Date(Date.now() + 1000), completedBefore }, { limit: 1000 })
}

describe('the pieces of a completed clip', () => {
  async function clipOn(accountId: string, mediaVersion: string | null = '1') {
    const { job } = await acceptClip(deps.db, accountId, { seconds: 60 })
    return deps.db.job.update({ where: { id: job.id }, data: { mediaVersion } })
  }

  async function completed(accountId: string) {
    const made = path.join(folder, 'first.mp4')
    await writeFile(made, 'frames')
    const job = await clipOn(accountId)
    await openPieceStore(deps, job).save('piece-1.mp4', { file: made, decodeErrors: 3 }, signal)
    await draftClip(deps.db, job.id, 60_000)
    await settleJob(deps.db, job.id)
    return job
  }

  const restoreFor = async (job: Job) => {
    return openPieceStore(deps, job).restore('piece-1.mp4', path.join(folder, `${job.id}.mp4`), signal)
  }

  it('are those of a later job for the same window of the same bytes, which keeps them', async () => {
    const accountId = await createAccount(deps.db, 'pieces')
    const first = await completed(accountId)
    const second = await clipOn(accountId)
    expect(await restoreFor(second)).toEqual({ decodeErrors: 3, isReused: true })
    expect(await readFile(path.join(folder, `${second.id}.mp4`), 'utf8')).toBe('frames')
    await deps.storage.deleteUnder(piecesFolder(first.id, deps.ffmpegBuild))
    expect(await restoreFor(second)).toEqual({ decodeErrors: 3, isReused: true })
    const third = await clipOn(accountId)
    expect(await restoreFor(third)).toBeUndefined()
    await draftClip(deps.db, second.id, 60_000)
    await settleJob(deps.db, second.id)
    expect(await restoreFor(third)).toEqual({ decodeErrors: 3, isReused: true })
  })

  it('are made again if those of an earlier job cannot be read', async () => {
    const accountId = await createAccount(deps.db, 'pieces')
    await completed(accountId)
    const second = await clipOn(accountId)
    const stat: Storage['stat'] = async (key) => {
      if (key.includes(second.id)) return deps.storage.stat(key)
      throw new Error('EIO')
    }
    const store = openPieceStore({ ...deps, storage: { ...deps.storage, stat } }, second)
    expect(await store.restore('piece-1.mp4', path.join(folder, 'broken.mp4'), signal)).toBeUndefined()
  })

  it('are none of another account, of other bytes, of another window, or of a deleted job', async () => {
    const accountId = await createAccount(deps.db, 'pieces')
    const first = await completed(accountId)
    expect(await restoreFor(await clipOn(await createAccount(deps.db, 'other')))).toBeUndefined()
    expect(await restoreFor(await clipOn(accountId, '2'))).toBeUndefined()
    expect(await restoreFor(await clipOn(accountId, null))).toBeUndefined()
    const { id } = await clipOn(accountId)
    expect(await restoreFor(await deps.db.job.update({ where: { id }, data: { startSeconds: 1 } }))).toBeUndefined()
    await deps.db.job.update({ where: { id: first.id }, data: { deletedAt: new Date() } })
    expect(await restoreFor(await clipOn(accountId))).toBeUndefined()
  })

  it('stay for a time', async () => {
    const { id } = await completed(await createAccount(deps.db, 'pieces'))
    const own = piecesFolder(id, 'a1')
    expect(await deadFolders(new Date(Date.now() - 60_000))).not.toContain(own)
    expect(await deadFolders(new Date(Date.now() + 60_000))).toContain(own)
  })
})
