import { createReadStream } from 'node:fs'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import type { Dependencies } from '../../activities/dependencies.ts'
import { createMediaActivities, createShortActivities } from '../../activities/index.ts'
import { openSource } from '../../activities/source.ts'
import { openFreeAccount } from '../../lab/lab-stack.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { randomText } from '../../src/core/ids.ts'
import { recordMediaInfo } from '../../src/jobs/job-changes.ts'
import { getJob } from '../../src/jobs/job-rows.ts'
import { acceptClip } from '../billing/jobs.ts'
import { speech } from '../fixtures/make.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { never } from '../media/measure.ts'
import { rangedServer } from '../media/source/ranged-server.ts'
import { serveHttp } from '../media/source/source-server.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()

/** Tools that take long enough for other jobs to start if they could. */
async function slowTool(): Promise<never> {
  for (let round = 0; round < 50; round++) await deps.db.job.count()
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
async function deferredOf(activity: Activity, accountIds: readonly string[], make = newJob): Promise<string[]> {
  const jobs: string[] = []
  for (const accountId of accountIds) jobs.push(await make(accountId))
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

describe('of the task slots for media, one is left', () => {
  /** A job on media that another worker read at an address of this server. */
  const jobAt = (port: number) => async (accountId: string) => {
    const id = await newJob(accountId)
    const mediaUrl = `http://127.0.0.1:${port}/speech.wav`
    await deps.db.job.update({ where: { id }, data: { mediaUrl, mediaKey: null, mediaGeneration: null } })
    return id
  }
  const newServer = () => serveHttp(rangedServer(speech).listener)
  const newAccount = () => createAccount(deps.db, 'of an operator')
  const fetching: Dependencies = { ...slow, mediaAllowHosts: ['127.0.0.1'] }

  it('by runs of one account that download their media here', async () => {
    const { run } = createMediaActivities(fetching, { taskSlots: 3 })
    const account = await newAccount()
    expect(await deferredOf(run, [account, account, account], jobAt(await newServer()))).toEqual([account])
  })

  it('by runs that download from one host', async () => {
    const { run } = createMediaActivities(fetching, { taskSlots: 3 })
    const accounts = [await newAccount(), await newAccount(), await newAccount()]
    expect(await deferredOf(run, accounts, jobAt(await newServer()))).toHaveLength(1)
  })

  it('and none for media that this worker has read before', async () => {
    const { run } = createMediaActivities(fetching, { taskSlots: 3 })
    const account = await newAccount()
    const port = await newServer()
    const opened = async (accountId: string) => {
      const id = await jobAt(port)(accountId)
      await new MockActivityEnvironment().run(async () => openSource(fetching, await getJob(deps.db, id), never))
      // Whose server tools wait for.
      const { served } = deps.rangedSources.find(id)?.input('wav') ?? {}
      expect(served?.claimKeys).toEqual([`account ${accountId}`, 'host 127.0.0.1'])
      return id
    }
    expect(await deferredOf(run, [account, account, account], opened)).toEqual([])
  })
})
