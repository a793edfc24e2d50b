import { Readable } from 'node:stream'
import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { finishJob } from '../../activities/finish.ts'
import { holdPrice, inspectJob } from '../../activities/inspect.ts'
import { reuseAnalyses } from '../../activities/reuse.ts'
import { runJob } from '../../activities/run.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { newId } from '../../src/core/ids.ts'
import { acceptJob } from '../../src/jobs/accept.ts'
import { markRunning, recordDraft } from '../../src/jobs/job-changes.ts'
import { getJob, findResult } from '../../src/jobs/job-rows.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { sameSlots } from '../billing/jobs.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()

const step = <T>(work: () => Promise<T>) => new MockActivityEnvironment().run(work)
const newAccount = () => createAccount(deps.db, 'timelines')

async function accept(accountId: string, endpoint: string, settings: object, apiKeyId: string | null = null) {
  const { job } = await acceptJob(deps.db, {
    ...{ jobId: newId('job'), accountId, apiKeyId, requestId: newId('req'), endpoint, settings, warnings: [] },
    ...{
      rateMicroUsdPerMinute: 0n,
      maxPriceMicroUsd: 0n,
      reference: null,
      slotLimits: sameSlots(100),
      maxWaitingJobs: 100,
    },
    window: { startSeconds: null, endSeconds: null },
  })
  return job.id
}

/** A job that found a second of sound in ten. */
async function foundJob(accountId: string): Promise<string> {
  const jobId = await accept(accountId, 'audio/detect-silence', {})
  const result = { media_seconds: 10, segments: [{ start: 4, end: 5, duration: 1 }] }
  await markRunning(deps.db, jobId)
  await recordDraft(deps.db, jobId, { result, files: [], billedMilliseconds: 0 })
  await settleJob(deps.db, jobId)
  return jobId
}

const suggest = (accountId: string, jobId: string, keyId: string | null = null) =>
  accept(accountId, 'timeline/suggest-ranges', { job_id: jobId }, keyId)

const answered = { status: 'completed', finalMicroUsd: 0n }
const found = { ranges: [{ start: 3.8, end: 5.2 }] }

describe('a job that reads no media', () => {
  it('completes in one step', async () => {
    const accountId = await newAccount()
    const jobId = await suggest(accountId, await foundJob(accountId))
    expect(await step(() => reuseAnalyses(deps, { jobId }))).toEqual({ isAnswered: true, isCompleted: true })
    expect(await getJob(deps.db, jobId)).toMatchObject(answered)
    expect(await findResult(deps.db, jobId)).toMatchObject(found)
    expect(await checkLedger(deps.db)).toEqual([])
  })

  it('is answered if it was canceled before it began', async () => {
    const accountId = await newAccount()
    const jobId = await suggest(accountId, await foundJob(accountId))
    await settleJob(deps.db, jobId, { code: 'canceled', message: 'Canceled.' })
    expect(await step(() => reuseAnalyses(deps, { jobId }))).toEqual({ isAnswered: true, isCompleted: false })
  })

  it('completes step by step, without a core, and logs its end once even if the last step repeats', async () => {
    const accountId = await newAccount()
    const jobId = await suggest(accountId, await foundJob(accountId))
    expect(await step(async () => inspectJob(deps, await getJob(deps.db, jobId)))).toMatchObject({
      jobEnded: false,
      isStreamed: true,
    })
    await holdPrice(deps, { jobId })
    await step(() => runJob(deps, { jobId }))
    const lines: unknown[] = []
    const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
    const first = await finishJob({ ...deps, logger }, { jobId })
    expect(await finishJob({ ...deps, logger }, { jobId })).toEqual(first)
    expect(lines).toEqual([expect.objectContaining({ msg: 'job ended', jobId, status: 'completed' })])
    expect(await getJob(deps.db, jobId)).toMatchObject(answered)
    expect(await findResult(deps.db, jobId)).toMatchObject(found)
    expect(await checkLedger(deps.db)).toEqual([])
  })

  it.each([
    ['another account', async () => ({ named: await foundJob(await newAccount()) })],
    ['no account', async () => ({ named: newId('job') })],
    ['a job that runs', async (accountId: string) => ({ named: await accept(accountId, 'audio/detect-silence', {}) })],
    [
      'a job that its key does not cover',
      async (accountId: string) => ({
        named: await foundJob(accountId),
        keyId: (await createKey(deps.db, { accountId, name: 'narrow', scope: 'timeline/*' })).keyId,
      }),
    ],
  ])('reads no result of %s: not_found, told by the steps', async (_whose, find) => {
    const accountId = await newAccount()
    const { named, keyId = null }: { named: string; keyId?: string | null } = await find(accountId)
    const jobId = await suggest(accountId, named, keyId)
    expect(await step(() => reuseAnalyses(deps, { jobId }))).toMatchObject({ isAnswered: false })
    await expect(step(() => runJob(deps, { jobId }))).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('a job that cuts by text', () => {
  /** A job that heard three words. */
  async function heardJob(accountId: string): Promise<string> {
    const jobId = await accept(accountId, 'audio/find-words', {})
    const objectKey = `outputs/${jobId}/1/words.json`
    const words = ['I', 'um', 'think'].map((text, at) => ({
      ...{ text, start: at + 0.2, end: at + 0.8, confidence: 0.9, quiet_before: at, quiet_after: at + 1 },
    }))
    const bytes = Buffer.from(JSON.stringify({ media_seconds: 3, words }))
    await deps.storage.write(objectKey, Readable.from([bytes]), 'application/json')
    const file = { objectKey, fileName: 'talk-words.json', contentType: 'application/json', bytes: bytes.length }
    await markRunning(deps.db, jobId)
    const files = [{ ...file, durationSeconds: 3, width: null, height: null }]
    await recordDraft(deps.db, jobId, { result: { media_seconds: 3 }, files, billedMilliseconds: 0 })
    await settleJob(deps.db, jobId)
    return jobId
  }

  const cutUm = (accountId: string, job_id: string) =>
    accept(accountId, 'timeline/suggest-ranges', { job_id, remove_words: ['um'], keep_text: 'I um think too' })

  it('reads the words of an earlier job, and warns of what was not said', async () => {
    const accountId = await newAccount()
    const jobId = await cutUm(accountId, await heardJob(accountId))
    expect(await step(() => reuseAnalyses(deps, { jobId }))).toMatchObject({ isAnswered: true })
    const warnings = ['Not said, of settings.keep_text: "too".']
    expect(await getJob(deps.db, jobId)).toMatchObject({ ...answered, warnings })
    const cuts = [{ start: 1, end: 2, duration: 1, text: 'um', reason: 'word' }]
    expect(await findResult(deps.db, jobId)).toMatchObject({ cuts, kept_seconds: 2 })
  })

  it('needs a job of audio/find-words whose files exist', async () => {
    const accountId = await newAccount()
    const silences = await cutUm(accountId, await foundJob(accountId))
    await expect(step(() => runJob(deps, { jobId: silences }))).rejects.toThrow('send a job of audio/find-words')
    const heard = await heardJob(accountId)
    await deps.db.output.deleteMany({ where: { jobId: heard } })
    const jobId = await cutUm(accountId, heard)
    await expect(step(() => runJob(deps, { jobId }))).rejects.toThrow('Find the words again')
    const other = await cutUm(accountId, await heardJob(await newAccount()))
    await expect(step(() => runJob(deps, { jobId: other }))).rejects.toMatchObject({ code: 'not_found' })
  })
})
