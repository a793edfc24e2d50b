import { createReadStream } from 'node:fs'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import type { Dependencies } from '../../activities/dependencies.ts'
import { createMediaActivities, createShortActivities } from '../../activities/index.ts'
import { openFreeAccount } from '../../lab/lab-stack.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { randomText } from '../../src/core/ids.ts'
import { recordMediaInfo } from '../../src/jobs/job-changes.ts'
import { acceptClip } from '../billing/jobs.ts'
import { speech } from '../fixtures/make.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { never } from '../media/measure.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()

/** Tools that take long enough for other jobs to start if they could. */
async function slowTool(): Promise<never> {
  for (let round = 0; round < 20; round++) await deps.db.job.count()
  throw new Error('enough')
}
const slow: Dependencies = { ...deps, ffmpeg: { ...deps.ffmpeg, run: slowTool, probe: slowTool } }

/** A job on media in the storage, which was inspected. */
async function newJob(accountId: string): Promise<string> {
  const key = `uploads/${randomText(8)}/media.wav`
  const { generation } = await deps.storage.write(key, createReadStream(speech), 'audio/wav')
  const { job } = await acceptClip(deps.db, accountId, { seconds: 1 })
  await deps.db.job.update({ where: { id: job.id }, data: { mediaKey: key, mediaGeneration: generation } })
  await recordMediaInfo(deps.db, job.id, await inspectFile(speech, deps.ffmpeg, never))
  return job.id
}

type Activity = (input: { readonly jobId: string; readonly turn: number }) => Promise<unknown>

/** The accounts of the jobs, one for each given account, that a worker defers when it takes all simultaneously. */
async function deferredOf(activity: Activity, accountIds: readonly string[]): Promise<string[]> {
  const jobs: string[] = []
  for (const accountId of accountIds) jobs.push(await newJob(accountId))
  const runs = jobs.map((jobId) => new MockActivityEnvironment().run(() => activity({ jobId, turn: 0 })))
  const ended = await Promise.allSettled(runs)
  return ended.flatMap((each, index) => {
    if (each.status === 'rejected') return []
    expect(each.value).toEqual({ deferred: 'no_slot' })
    return accountIds[index] ?? []
  })
}

describe.each([
  ['short runs', createShortActivities(slow, 4).inspectAndRun],
  ['media', createMediaActivities(slow, { taskSlots: 4 }).run],
] as const)('of the task slots for %s', (_queue, activity) => {
  it('an unpaid account has a quarter, and at least one, and another has all', async () => {
    const [unpaid, other] = [await openFreeAccount(deps.db), await openFreeAccount(deps.db)]
    expect(await deferredOf(activity, [unpaid, unpaid, other])).toEqual([unpaid])
    await activateBilling(deps.db, unpaid)
    expect(await deferredOf(activity, [unpaid, unpaid])).toEqual([])
    const operators = await createAccount(deps.db, 'of an operator')
    expect(await deferredOf(activity, [operators, operators])).toEqual([])
  })
})

it('of the task slots for models, an account that pays has all but one', async () => {
  const { run } = createMediaActivities(slow, { taskSlots: 4, maxOfPaid: 3 })
  const [paid, unpaid] = [await createAccount(deps.db, 'of an operator'), await openFreeAccount(deps.db)]
  expect(await deferredOf(run, [paid, paid, paid, paid, unpaid, unpaid])).toEqual([paid, unpaid])
})
