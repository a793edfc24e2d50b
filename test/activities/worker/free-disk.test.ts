import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { createDiskTurns } from '../../../activities/worker/work-directory.ts'
import { createRangedSources } from '../../../src/media/source/ranged-source.ts'

const workDir = await mkdtemp(path.join(tmpdir(), 'disk-'))
const onDisk = createDiskTurns({ workDir, rangedSources: createRangedSources(), logger: pino({ level: 'silent' }) })
const inActivity = <T>(work: () => Promise<T>) => new MockActivityEnvironment().run(work)
/** A disk that is full as often as asked, as seen by the checks. */
const disk = (...full: boolean[]) => ({
  ...{ pauseMilliseconds: 1, maxMilliseconds: 5_000 },
  hasRoom: async () => !(full.shift() ?? false),
})
const alwaysFull = { pauseMilliseconds: 1, maxMilliseconds: 5, hasRoom: async () => false }
const fetched = async () => readdir(path.join(workDir, 'job_a')).catch(() => [])

beforeEach(async () => {
  await mkdir(path.join(workDir, 'job_a'), { recursive: true })
  await writeFile(path.join(workDir, 'job_a', 'source-1'), 'film')
})
afterAll(() => rm(workDir, { recursive: true }))

it('waits for a disk that has room soon', async () => {
  const work = vi.fn(async () => 'done')
  const checks = disk(true, true, true)
  expect(await inActivity(() => onDisk({ jobId: 'job_a' }, work, checks))).toBe('done')
  expect(work).toHaveBeenCalledOnce()
  expect(await fetched()).toEqual(['source-1'])
})

it('defers an activity while the disk is full, and deletes what its job fetched', async () => {
  const deferred = await inActivity(() => onDisk({ jobId: 'job_a' }, async () => 'done', alwaysFull))
  expect(deferred).toEqual({ deferred: 'no_disk' })
  expect(await fetched()).toEqual([])
})

it('deletes nothing that another activity of the job uses', async () => {
  let end = (_result: string) => {}
  const other = new Promise<string>((resolve) => {
    end = resolve
  })
  const running = inActivity(() => onDisk({ jobId: 'job_a' }, () => other, disk()))
  await vi.waitFor(async () => {
    expect(await inActivity(() => onDisk({ jobId: 'job_a' }, async () => 'done', alwaysFull))).toEqual({
      deferred: 'no_disk',
    })
  })
  expect(await fetched()).toEqual(['source-1'])
  end('done')
  expect(await running).toBe('done')
})
