import { createReadStream } from 'node:fs'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { createShortActivities } from '../../activities/index.ts'
import { openFreeAccount } from '../../scripts/hostile/free-account.ts'
import { createAccount } from '../../src/accounts/create-account.ts'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { acceptClip } from '../billing/jobs.ts'
import { speech } from '../fixtures/make.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()

/** The deferrals of two jobs of the account that a worker with two task slots for short runs takes simultaneously. */
async function deferralsOf(accountId: string) {
  const probe = async () => {
    // Long enough for the other job to start if it could.
    for (let round = 0; round < 20; round++) await deps.db.job.count()
    throw new Error('enough')
  }
  const { inspectAndRun } = createShortActivities({ ...deps, ffmpeg: { ...deps.ffmpeg, probe } }, 2)
  const jobs = await Promise.all(
    [1, 2].map(async (number) => {
      const key = `uploads/${accountId}-${number}/media.wav`
      const { generation } = await deps.storage.write(key, createReadStream(speech), 'audio/wav')
      const { job } = await acceptClip(deps.db, accountId, { seconds: 1 })
      await deps.db.job.update({ where: { id: job.id }, data: { mediaKey: key, mediaGeneration: generation } })
      return job.id
    }),
  )
  const runs = jobs.map((jobId) => new MockActivityEnvironment().run(() => inspectAndRun({ jobId, turn: 0 })))
  const ended = await Promise.allSettled(runs)
  return ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
}

it('an unpaid account has a quarter of the task slots for short runs, and at least one; others have all', async () => {
  const unpaid = await openFreeAccount(deps.db)
  expect(await deferralsOf(unpaid)).toEqual([{ deferred: 'no_slot' }])
  await activateBilling(deps.db, unpaid)
  expect(await deferralsOf(unpaid)).toEqual([])
  expect(await deferralsOf(await createAccount(deps.db, 'of an operator'))).toEqual([])
})
