import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startSweeping, sweepWorkDirectory } from '../../../activities/worker/work-directory.ts'
import { createAccount } from '../../../src/accounts/own-account.ts'
import { newId } from '../../../src/core/ids.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { acceptClip } from '../../billing/jobs.ts'
import { useDependencies } from '../use-dependencies.ts'

const deps = await useDependencies()

it('deletes the files of ended and unknown jobs, and none of open or other jobs', async () => {
  const { db, workDir } = deps
  const accountId = await createAccount(db, 'sweep')
  const [open, ended] = [
    await acceptClip(db, accountId, { seconds: 1 }),
    await acceptClip(db, accountId, { seconds: 1 }),
  ]
  await settleJob(db, ended.job.id, { code: 'canceled', message: 'Canceled.' })
  for (const folder of [open.job.id, ended.job.id, newId('job'), 'processes']) {
    await mkdir(path.join(workDir, folder, 'attempt'), { recursive: true })
    await writeFile(path.join(workDir, folder, 'attempt', 'source'), 'x')
  }
  expect(await sweepWorkDirectory(deps)).toBe(2)
  expect((await readdir(workDir)).toSorted()).toEqual([open.job.id, 'processes'].toSorted())
  expect(await sweepWorkDirectory(deps)).toBe(0)
})

async function addFolders(jobIds: readonly string[]): Promise<void> {
  for (const jobId of jobIds) await mkdir(path.join(deps.workDir, jobId), { recursive: true })
}

it('goes on after a folder that cannot be deleted', async () => {
  const [stuck, ...others] = [newId('job'), newId('job'), newId('job')]
  await addFolders([stuck, ...others])
  const close = async (jobId: string) => {
    if (jobId === stuck) throw new Error('busy')
  }
  expect(await sweepWorkDirectory({ ...deps, rangedSources: { ...deps.rangedSources, close } })).toBe(2)
  expect(await readdir(deps.workDir)).toContain(stuck)
  expect(await sweepWorkDirectory(deps)).toBe(1)
})

it('begins no sweep while another runs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await addFolders([newId('job')])
  let fail = () => {}
  const close = vi.fn(() => new Promise<void>((_resolve, reject) => (fail = () => reject(new Error('busy')))))
  const sweep = startSweeping({ ...deps, rangedSources: { ...deps.rangedSources, close } })
  vi.advanceTimersByTime(45_000)
  await vi.waitFor(() => expect(close).toHaveBeenCalled())
  fail()
  await sweep.stop()
  expect(close).toHaveBeenCalledTimes(1)
})
