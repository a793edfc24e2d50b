import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sweepWorkDirectory } from '../../../activities/worker/sweep.ts'
import { createAccount } from '../../../src/accounts/create-account.ts'
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
