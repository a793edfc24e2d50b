import { expect, it } from 'vitest'
import { createShares } from '../../../api/http/rate-limits.ts'
import { findJobWithResult, withResults } from '../../../api/jobs/read.ts'
import { stepJobId } from '../../../src/chains/step-request.ts'
import { markRunning, recordDraft } from '../../../src/jobs/job-changes.ts'
import { findRun } from '../../../src/jobs/run-rows.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { mediaUrl, useApi } from '../api.ts'

const api = await useApi()
const account = await api.newAccount()

const resultOf = (count: number) => ({
  media_seconds: 60,
  segments: Array.from({ length: count }, (_, index) => ({ start: index, end: index + 1, duration: 1 })),
})

async function complete(jobId: string, count: number): Promise<string> {
  await markRunning(api.db, jobId)
  await recordDraft(api.db, jobId, { result: resultOf(count), files: [], billedMilliseconds: 0 })
  await settleJob(api.db, jobId)
  return jobId
}

it('an account reads a few large results at a time, and small ones at any time', async () => {
  const { accountId } = account
  const [large, small] = [await complete(await account.create(), 10_000), await complete(await account.create(), 1)]
  const { body } = await account.post('/v1/workflows/remove-dead-space/runs', {
    mode: 'run_all',
    media_url: mediaUrl,
    media_seconds: 60,
  })
  const runId = String(body.run.id)
  await complete(stepJobId(runId, 0), 10_000)
  const run = await findRun(api.db, accountId, runId)
  if (!run) throw new Error('no run')

  const results = createShares({ name: 'reads', perAccount: 1, perProcess: 2 })
  const context = { db: api.db, results }
  const read = async (jobId: string) => (await findJobWithResult(context, { accountId, scope: 'all' }, jobId))?.result
  expect(await read(large)).toEqual(resultOf(10_000))
  expect((await withResults(context, run)).jobs.map(({ result }) => result)).toEqual([resultOf(10_000)])

  const giveBack = results.take(accountId)
  const refusal = { code: 'rate_limited', message: expect.stringContaining('1 reads of this account') }
  await expect(read(large)).rejects.toMatchObject(refusal)
  await expect(withResults(context, run)).rejects.toMatchObject(refusal)
  expect(await read(small)).toEqual(resultOf(1))
  expect((await withResults(context, run, [])).jobs.map(({ result }) => result)).toEqual([null])
  giveBack()
  expect(await read(large)).toEqual(resultOf(10_000))
})
