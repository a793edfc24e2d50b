import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPieceStore } from '../../activities/analysis-stores.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { findDeadFolders, piecesFolder } from '../../src/jobs/analysis-rows.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { acceptClip } from '../billing/jobs.ts'
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
  await openPieceStore(deps, job.id).save('piece-1.mp4', { file: made, decodeErrors: 7 }, signal)
  const elsewhere = { ...deps, storage: { ...storage, localPath: async () => undefined } }
  // As if another worker stored the piece again between the two steps.
  const replaced = { ...deps, storage: { ...storage, localPath: async () => path.join(folder, 'gone') } }
  for (const each of [deps, elsewhere, replaced]) {
    expect(await openPieceStore(each, job.id).restore('piece-1.mp4', found, signal)).toBe(7)
    expect((await readFile(found)).equals(bytes)).toBe(true)
  }
  const gone = openPieceStore(deps, job.id).save('piece-2.mp4', { file: `${made}.gone`, decodeErrors: 0 }, signal)
  await expect(gone).rejects.toThrow('ENOENT')
  expect(await openPieceStore(deps, job.id).restore('piece-2.mp4', found, signal)).toBeUndefined()
})

it('a stored piece that has lost its end is made again', async () => {
  const { db, storage } = deps
  const { job } = await acceptClip(db, await createAccount(db, 'pieces'), { seconds: 1 })
  const [made, found] = [path.join(folder, 'cut.mp4'), path.join(folder, 'cut-found.mp4')]
  await writeFile(made, '')
  const store = openPieceStore(deps, job.id)
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

  expect(await openPieceStore(deps, job.id).restore('piece-1.mp4', found, signal)).toBeUndefined()
  await openPieceStore(deps, job.id).save('piece-1.mp4', { file: made, decodeErrors: 3 }, signal)
  expect(await openPieceStore(deps, job.id).restore('piece-1.mp4', found, signal)).toBe(3)
  const otherBuild = { ...deps, ffmpegBuild: 'b2' }
  expect(await openPieceStore(otherBuild, job.id).restore('piece-1.mp4', found, signal)).toBeUndefined()
  expect(await readFile(found, 'utf8')).toBe('frames')

  await settleJob(db, job.id, { code: 'canceled', message: 'Canceled.' })
  expect(await findDeadFolders(db, new Date(Date.now() + 1000), 10)).toEqual([`outputs/${job.id}/pieces-2-a1`])
})
