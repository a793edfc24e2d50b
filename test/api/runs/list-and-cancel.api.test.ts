import { describe, expect, it } from 'vitest'
import { runPage } from '../../../api/runs/schema.ts'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import { stepJobId } from '../../../src/chains/step-request.ts'
import { markRunning, recordDraft } from '../../../src/jobs/job-changes.ts'
import { closeRun, findOpenJobs, listRuns } from '../../../src/jobs/run-rows.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { settleRun } from '../../../src/jobs/start-and-end.ts'
import { type Answer, codeOf, type TestAccount, useApi } from '../api.ts'
import { acceptClipStep, completeFirst, startRun } from './start-run.ts'

const api = await useApi()
const account = await api.newAccount()

describe('GET /v1/workflow-runs', () => {
  const failure = { code: 'canceled', message: 'Canceled.' } as const
  const idsOf = (answer: Answer) => {
    expect(answer.status, answer.text).toBe(200)
    return runPage.parse(answer.body).runs.map(({ id }) => id)
  }

  it('reads no settings, of which a page could have megabytes', async () => {
    const owner = await api.newAccount()
    await startRun(owner)
    const runs = await listRuns(api.db, owner.accountId, { limit: 1, filter: { chains: ['remove-dead-space'] } })
    expect(runs.map((each) => 'settings' in each)).toEqual([false])
  })

  it('200 with pages, newest first, without overlap or gap', async () => {
    const owner = await api.newAccount()
    const made: string[] = []
    for (let count = 0; count < 5; count++) made.unshift(await startRun(owner))
    // Two runs created at the same time.
    const [{ createdAt } = { createdAt: new Date() }] = await api.db.workflowRun.findMany({
      where: { id: made[1] ?? '' },
    })
    await api.db.workflowRun.update({ where: { id: made[2] ?? '' }, data: { createdAt } })
    const pages: string[][] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page = await owner.get(`/v1/workflow-runs?limit=2${cursor && `&cursor=${cursor}`}`)
      pages.push(idsOf(page))
      cursor = page.body.next_cursor
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    const [first, ...rest] = pages.flat()
    expect([first, rest.at(-1)]).toEqual([made[0], made[4]])
    expect(new Set(pages.flat())).toEqual(new Set(made))
  })

  it('200 with each run as when it is read, but without results and the settings of its jobs', async () => {
    const owner = await api.newAccount()
    const runId = await startRun(owner)
    await completeFirst(api.db, runId)
    const { job } = await acceptClipStep(api.db, runId)
    await markRunning(api.db, job.id)
    await recordDraft(api.db, job.id, { result: { media_seconds: 60 }, files: [], billedMilliseconds: 60_000 })
    await settleJob(api.db, job.id)
    await settleRun(api.db, { runId, lastJobId: job.id })
    const alone = (await owner.get(`/v1/workflow-runs/${runId}`)).body.run
    expect([alone.status, alone.steps[2].job.result]).toEqual(['completed', { media_seconds: 60 }])
    const { result: _, settings: _settings, ...last } = alone.steps[2].job
    const { result: _result, ...summary } = alone
    const [listed] = (await owner.get('/v1/workflow-runs')).body.runs
    expect(listed).toEqual({ ...summary, steps: [...alone.steps.slice(0, 2), { ...alone.steps[2], job: last }] })
  })

  it('200 with only the runs that match the filters', async () => {
    const owner = await api.newAccount()
    const [queued, running, failed, completed] = [
      await startRun(owner),
      await startRun(owner),
      await startRun(owner),
      await startRun(owner),
    ]
    await markRunning(api.db, stepJobId(running, 0))
    await settleRun(api.db, { runId: failed, lastJobId: 'none', failure })
    await completeFirst(api.db, completed)
    await settleRun(api.db, { runId: completed, lastJobId: stepJobId(completed, 0) })
    const by = async (query: string) => idsOf(await owner.get(`/v1/workflow-runs?${query}`))
    expect(await by('status=queued')).toEqual([queued])
    expect(await by('status=running')).toEqual([running])
    expect(await by('status=failed')).toEqual([failed])
    expect(await by('status=completed')).toEqual([completed])
    expect(await by('workflow_id=remove-dead-space&status=failed')).toEqual([failed])
    expect(await by('workflow_id=pick-thumbnails')).toEqual([])
    expect(await by('')).toHaveLength(4)
  })

  it('200 without runs of other accounts, and of chains that the key does not cover', async () => {
    const owner = await api.newAccount()
    const runId = await startRun(owner)
    const visible = async () => idsOf(await owner.get('/v1/workflow-runs'))
    expect(await visible()).toEqual([runId])
    await api.db.apiKey.update({ where: { id: owner.keyId }, data: { scope: 'audio/*' } })
    expect(await visible()).toEqual([])
    expect(idsOf(await (await api.newAccount()).get('/v1/workflow-runs'))).toEqual([])
  })

  it.each(['limit=0', 'limit=101', 'cursor=nonsense', 'status=succeeded', 'workflow_id=make-coffee'])(
    '400 invalid_request for %s',
    async (query) => {
      const answer = await account.get(`/v1/workflow-runs?${query}`)
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    },
  )

  it('is read by its own index', async () => {
    const plan = await api.db.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`
      return tx.$queryRaw<unknown[]>`
        EXPLAIN SELECT id FROM workflow_runs WHERE account_id = 'a' ORDER BY created_at DESC, id DESC LIMIT 3`
    })
    expect(JSON.stringify(plan)).toContain('workflow_runs_account_id_created_at_id_idx')
  })
})

describe('POST /v1/workflow-runs/{run_id}/cancel', () => {
  const cancel = (from: TestAccount, runId: string) => from.post(`/v1/workflow-runs/${runId}/cancel`)

  it('is recorded for the run and its open job together, even if no notice reaches Temporal', async () => {
    const account = await api.newAccount()
    const runId = await startRun(account)
    await closeRun(api.db, runId)
    const [job] = await findOpenJobs(api.db, runId)
    expect(job?.cancelRequestedAt).toBeInstanceOf(Date)
    await expect(acceptClipStep(api.db, runId)).rejects.toMatchObject({ code: 'canceled' })
  })

  it('202 for a dispatched run: its open job is canceled, and no other begins', async () => {
    const runId = await startRun(account)
    await expect
      .poll(async () => (await api.db.job.findUniqueOrThrow({ where: { id: stepJobId(runId, 0) } })).dispatchedAt)
      .not.toBeNull()
    const answer = await cancel(account, runId)
    expect([answer.status, answer.body.run.id]).toEqual([202, runId])
    const job = await api.db.job.findUniqueOrThrow({ where: { id: stepJobId(runId, 0) } })
    expect(job.cancelRequestedAt).toBeInstanceOf(Date)
    await expect(acceptClipStep(api.db, runId)).rejects.toMatchObject({ code: 'canceled' })
  })

  it('202 between two steps: completed jobs stay, and no other begins', async () => {
    const runId = await startRun(account)
    await completeFirst(api.db, runId)
    expect((await cancel(account, runId)).body.run).toMatchObject({ price_usd: 0.002 })
    await expect(acceptClipStep(api.db, runId)).rejects.toMatchObject({ code: 'canceled' })
  })

  it('200 for a run that waits for its slot: it ends immediately and costs nothing', async () => {
    const waiting = await api.newAccount()
    const slots = Array.from({ length: api.config.RUNNING_JOBS_PER_ACCOUNT }, () => waiting.create())
    await Promise.all(slots)
    const runId = await startRun(waiting)
    const { status, body } = await cancel(waiting, runId)
    expect(status).toBe(200)
    expect(body.run).toMatchObject({ status: 'failed', error: { code: 'canceled' }, price_usd: 0 })
    expect(await checkLedger(api.db)).toEqual([])
    expect((await cancel(waiting, runId)).body.run).toEqual(body.run)
  })

  it('404 not_found for another account', async () => {
    const answer = await cancel(await api.newAccount(), await startRun(account))
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
  })
})
