import { createReadStream } from 'node:fs'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { createSourceActivities } from '../../activities/index.ts'
import { sourceSlots } from '../../activities/slots.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { recordMediaInfo } from '../../src/jobs/job-changes.ts'
import { acceptClip } from '../billing/jobs.ts'
import { speech } from '../fixtures/make.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { never } from '../media/measure.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()

/** How many of three jobs on media of that length run simultaneously, the results of the others, and the states of all. */
async function together(durationSeconds: number) {
  const accountId = await createAccount(deps.db, 'streamed')
  let running = 0
  let most = 0
  const probe = async () => {
    most = Math.max(most, ++running)
    // Long enough for the other jobs to start if they could.
    for (let round = 0; round < 20; round++) await deps.db.job.count()
    running -= 1
    throw new Error('enough')
  }
  const { run } = createSourceActivities({ ...deps, ffmpeg: { ...deps.ffmpeg, run: probe, probe } }, sourceSlots)
  const media = await inspectFile(speech, deps.ffmpeg, never)
  const jobs = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const key = `uploads/${durationSeconds}-${number}/media.wav`
      const { generation } = await deps.storage.write(key, createReadStream(speech), 'audio/wav')
      const { job } = await acceptClip(deps.db, accountId, { seconds: 1 })
      await deps.db.job.update({ where: { id: job.id }, data: { mediaKey: key, mediaGeneration: generation } })
      await recordMediaInfo(deps.db, job.id, { ...media, durationSeconds })
      return job.id
    }),
  )
  const runs = jobs.map((jobId) => new MockActivityEnvironment().run(() => run({ jobId, turn: 0 })))
  const ended = await Promise.allSettled(runs)
  const rows = await deps.db.job.findMany({ where: { id: { in: jobs } } })
  return {
    most,
    deferred: ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    states: rows.map(({ status, startedAt }) => `${status}${startedAt ? ' since' : ''}`).toSorted(),
  }
}

it('jobs on long media that wait for their sources run one at a time, others together; those without a slot are queued', async () => {
  const noSlot = { deferred: 'no_slot' }
  expect(await together(3 * 3_600)).toEqual({
    most: 1,
    deferred: [noSlot, noSlot],
    states: ['queued', 'queued', 'running since'],
  })
  const { most, deferred, states } = await together(600)
  expect(most).toBeGreaterThan(1)
  expect(deferred).toEqual([])
  expect(states).toEqual(['running since', 'running since', 'running since'])
})
