import { createReadStream } from 'node:fs'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { acceptNextJob } from '../../activities/finish.ts'
import { probeForEstimate } from '../../activities/inspect.ts'
import { inspectAndRun } from '../../activities/short-job.ts'
import { deferUntilTurn } from '../../activities/worker/lost-attempts.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { stepJobId } from '../../src/chains/step-request.ts'
import { newId } from '../../src/core/ids.ts'
import { acceptRun } from '../../src/jobs/accept.ts'
import { markRunning, recordDraft } from '../../src/jobs/job-changes.ts'
import { createProbe, getProbe, type Probe } from '../../src/jobs/probes.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { sameSlots } from '../billing/jobs.ts'
import { speech } from '../fixtures/make.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()

const silences = {
  chain: 'remove-dead-space',
  endpoint: 'audio/detect-silence',
  result: { segments: [{ start: 4, end: 5, duration: 1 }] },
}

async function acceptedRun({ chain, endpoint }: Omit<typeof silences, 'result'>, settings = {}): Promise<string> {
  const accountId = await createAccount(deps.db, 'runs')
  const { keyId: apiKeyId } = await createKey(deps.db, { accountId, name: 'test' })
  const runId = newId('run')
  const jobId = stepJobId(runId, 0)
  const made = { accountId, apiKeyId, requestId: newId('req'), settings: {} }
  await acceptRun(deps.db, {
    run: {
      ...made,
      ...{ id: runId, chain, settings },
      mediaUrl: 'https://media.example/a.mp4',
      mediaSeconds: 10,
      limitMicroUsd: 10_000n,
    },
    firstJob: {
      ...{ ...made, jobId, endpoint, warnings: [], reference: null, maxPriceMicroUsd: 0n },
      ...{ rateMicroUsdPerMinute: 0n, slotLimits: sameSlots(100), maxWaitingJobs: 100 },
      window: { startSeconds: null, endSeconds: null },
    },
  })
  return runId
}

/** A run whose first job has completed. */
async function startedRun({ result, ...run }: typeof silences = silences): Promise<string> {
  const runId = await acceptedRun(run)
  const jobId = stepJobId(runId, 0)
  await markRunning(deps.db, jobId)
  await recordDraft(deps.db, jobId, { result: { media_seconds: 10, ...result }, files: [], billedMilliseconds: 0 })
  await settleJob(deps.db, jobId)
  return runId
}

it('creates and counts the next job of a run once, however often the step runs', async () => {
  const runId = await startedRun()
  const next = { isDone: false, jobId: stepJobId(runId, 1), endpoint: 'timeline/suggest-ranges' }
  for (const _ of [1, 2]) expect(await acceptNextJob(deps, { runId, position: 1 })).toMatchObject(next)
  const { values } = await deps.metrics.jobsCreated.get()
  expect(values).toEqual([{ labels: { endpoint: 'timeline/suggest-ranges' }, value: 1 }])
})

it('creates no job to look for silences if the first one found no laughter', async () => {
  const laughter = { chain: 'find-funny-clips', endpoint: 'audio/detect-laughter', result: { segments: [] } }
  const runId = await startedRun(laughter)
  await expect(acceptNextJob(deps, { runId, position: 1 })).rejects.toMatchObject({ code: 'nothing_found' })
  expect(await deps.db.job.count({ where: { runId } })).toBe(1)
})

it('refuses media that a later step cannot cut in the first job, which is not charged', async () => {
  const runId = await acceptedRun(silences, { 'video/clip-window': { aspect: '9:16' } })
  const [jobId, mediaKey] = [stepJobId(runId, 0), `uploads/${runId}/media.wav`]
  const { generation: mediaGeneration } = await deps.storage.write(mediaKey, createReadStream(speech), 'audio/wav')
  await deps.db.job.update({
    where: { id: jobId },
    data: { mediaUrl: 'https://media.example/a.wav', mediaKey, mediaGeneration },
  })
  const { signal } = new AbortController()
  const first = new MockActivityEnvironment({ attempt: 1 }).run(() => inspectAndRun(deps, { jobId }, signal))
  await expect(first).rejects.toMatchObject({
    code: 'no_video_track',
    message: 'The media has no picture, and settings["video/clip-window"].aspect needs one. Leave it out.',
  })
})

it('waits, like the estimates of its account, while runs and estimates of the account have blocked four workers', async () => {
  const runId = await startedRun()
  const { accountId } = await deps.db.workflowRun.findUniqueOrThrow({ where: { id: runId } })
  const reference = { url: 'https://media.example/a.mp4', object: null, name: 'a.mp4' }
  const [blocking, next] = [
    await createProbe(deps.db, accountId, reference),
    await createProbe(deps.db, accountId, reference),
  ]
  const blockWorker = (subjectId: string) =>
    deps.db.workerEnd.create({ data: { id: newId('end'), subjectId, isCause: true, worker: 'one' } })
  for (const subjectId of [newId('job'), blocking.id, blocking.id, runId]) await blockWorker(subjectId)
  await acceptNextJob(deps, { runId, position: 1 })
  await blockWorker(blocking.id)
  await expect(acceptNextJob(deps, { runId, position: 1 })).rejects.toThrow('the account blocked several workers')
  const outcomeAfter = async (probe: Probe) => {
    const deferral = await new MockActivityEnvironment().run(() => deferUntilTurn(() => probeForEstimate(deps, probe)))
    return [deferral, (await getProbe(deps.db, probe.id))?.error]
  }
  expect(await outcomeAfter(blocking)).toMatchObject([undefined, { code: 'processing_failed' }])
  expect(await outcomeAfter(next)).toEqual([{ deferred: 'no_slot' }, null])
})
