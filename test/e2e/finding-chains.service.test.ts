import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { getChain } from '../../src/chains/chains.ts'
import { laughingFilm } from '../fixtures/laughing-film.ts'
import { testPool, whySkipped } from '../setup/models.ts'
import { untilFound } from '../until-found.ts'
import { leftFiles, type Service, startService } from './service.ts'

// Like `chains.service.test.ts` for `remove-dead-space`: each chain is killed, canceled and limited.

const answer = z.object({
  plan: z.object({ max_price_usd: z.number(), steps: z.array(z.object({ max_price_usd: z.number() })) }),
  run: z.object({ id: z.string() }),
})
const run = z.object({
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  price_usd: z.number(),
  error: z.object({ code: z.string() }).optional(),
  outputs: z.array(z.object({ url: z.url() })).optional(),
  steps: z.array(
    z.object({ job: z.object({ status: z.string(), final_price_usd: z.number().optional() }).optional() }),
  ),
})

const named = z.object({ id: z.string(), status: z.string().optional(), error: z.unknown().optional() })
const toolAnswer = z.object({
  workflow: z.object({ id: z.string() }).optional(),
  plan: answer.shape.plan.optional(),
  run: named.optional(),
  job: named.optional(),
  result: z.unknown().optional(),
})

/** The settings of each chain, and how many files it makes. */
const cases = [
  { id: 'find-funny-clips', settings: { 'audio/detect-laughter': { threshold: 0.15 } }, files: 2 },
  {
    id: 'find-exact-words',
    settings: {
      'audio/find-words': { queries: ['technical information'] },
      'video/clip-near': { aspect: '9:16', captions: { as: 'burn', style: 'large' } },
    },
    files: 1,
  },
  { id: 'clean-speech', settings: { 'timeline/suggest-ranges': { remove_words: ['asterisk'] } }, files: 1 },
  { id: 'find-highlights', settings: { 'timeline/find-highlights': { min_seconds: 5, max_seconds: 20 } }, files: 2 },
  { id: 'pick-thumbnails', settings: { 'video/best-frames': { count: 2 } }, files: 6 },
  { id: 'searchable-media-memory', settings: {}, files: 0 },
]

describe.skipIf(testPool.installed.size < 6)(`the chains that find${whySkipped}`, () => {
  let service: Service
  let media_url: string
  beforeAll(async () => {
    service = await startService({}, { worker: false })
    media_url = await service.client.upload(await laughingFilm())
  })
  afterAll(() => service.stop())

  const start = async ({ id, settings }: (typeof cases)[number], fields: object = {}) => {
    const body = { mode: 'run_all', media_url, media_seconds: 48, settings, ...fields }
    const response = await service.client.send('POST', `/v1/workflows/${id}/runs`, body)
    expect(response.status, JSON.stringify(response.body)).toBe(202)
    const { plan, run: started } = answer.parse(response.body)
    return { plan, runId: started.id }
  }
  const read = async (runId: string) =>
    z.object({ run }).parse((await service.client.send('GET', `/v1/workflow-runs/${runId}`)).body).run
  const endOf = async (runId: string) => {
    await untilFound(async () => ['completed', 'failed'].includes((await read(runId)).status))
    return read(runId)
  }
  const untilRunning = async (runId: string) =>
    untilFound(() => service.db.job.findFirst({ where: { runId, status: 'running' } }))
  const expectClean = async () => {
    expect(await checkLedger(service.db)).toEqual([])
    const where = { id: service.accountId }
    await untilFound(async () => (await service.db.account.findUniqueOrThrow({ where })).heldMicroUsd === 0n)
    await untilFound(async () => (await leftFiles(service)).length === 0)
  }

  it('go on after their worker was killed in the middle, and every step is charged once', async () => {
    const killed = await service.startWorker({ MEDIA_SLOTS: '4' })
    const started = await Promise.all(cases.map((each) => start(each)))
    await Promise.all(started.map(({ runId }) => untilRunning(runId)))
    killed.child.kill('SIGKILL')
    await service.startWorker({ MEDIA_SLOTS: '4' })
    for (const [index, { id, files }] of cases.entries()) {
      const { plan, runId } = started[index] ?? expect.fail()
      const ended = await endOf(runId)
      const { steps } = getChain(id)
      expect([id, ended.status, ended.error]).toEqual([id, 'completed', undefined])
      expect(ended.steps.map(({ job }) => job?.status)).toEqual(steps.map(() => 'completed'))
      expect(ended.outputs ?? []).toHaveLength(files)
      const paid = ended.steps.reduce((sum, { job }) => sum + (job?.final_price_usd ?? 0), 0)
      expect(ended.price_usd).toBeCloseTo(paid, 6)
      expect(ended.price_usd).toBeGreaterThan(0)
      expect(ended.price_usd).toBeLessThanOrEqual(plan.max_price_usd)
      const jobs = await service.db.job.findMany({ where: { runId }, select: { id: true } })
      const captures = { kind: 'capture', jobId: { in: jobs.map((job) => job.id) } } as const
      expect([id, jobs.length, await service.db.ledgerEntry.count({ where: captures })]).toEqual([
        id,
        steps.length,
        steps.length,
      ])
    }
    await expectClean()
  }, 240_000)

  // On the worker of the runs above.
  it.each(cases)('$id is canceled while it runs: what completed stays billed, the rest costs nothing', async (each) => {
    const other = await service.client.upload(await laughingFilm())
    const { runId } = await start(each, { media_url: other })
    await untilRunning(runId)
    await service.client.send('POST', `/v1/workflow-runs/${runId}/cancel`)
    const ended = await endOf(runId)
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
    const completed = ended.steps.filter(({ job }) => job?.status === 'completed')
    expect(completed.length).toBeLessThan(ended.steps.length)
    expect(ended.price_usd).toBeCloseTo(
      completed.reduce((sum, { job }) => sum + (job?.final_price_usd ?? 0), 0),
      6,
    )
    expect(await service.db.passage.count({ where: { job: { runId, status: 'failed' } } })).toBe(0)
    await expectClean()
  })

  const planOf = async ({ id, settings }: (typeof cases)[number]) => {
    const body = { media_url, media_seconds: 48, settings }
    const planned = await service.client.send('POST', `/v1/workflows/${id}/runs`, body)
    return answer.pick({ plan: true }).parse(planned.body).plan
  }

  it.each(cases.filter(({ id }) => id !== 'searchable-media-memory'))(
    '$id stops at its limit: the steps that it covers are paid, the last one does not begin',
    async (each) => {
      const { steps } = await planOf(each)
      const covered = steps.slice(0, -1).reduce((sum, step) => sum + Math.round(step.max_price_usd * 1e6), 0) / 1e6
      const { runId } = await start(each, { max_price_usd: covered })
      const ended = await endOf(runId)
      expect(ended).toMatchObject({ status: 'failed', error: { code: 'price_limit_reached' } })
      expect(ended.price_usd).toBeGreaterThan(0)
      expect(ended.price_usd).toBeLessThanOrEqual(covered)
      const statuses = ended.steps.map(({ job }) => job?.status)
      expect(statuses).toEqual(steps.map((_, at) => (at < steps.length - 1 ? 'completed' : undefined)))
      await expectClean()
    },
  )

  // Its last step is free.
  it('searchable-media-memory is refused with a limit below its price, and charges nothing', async () => {
    const { id, settings } = cases.at(-1) ?? expect.fail()
    const runs = await service.db.workflowRun.count()
    const body = { mode: 'run_all', media_url, media_seconds: 48, settings, max_price_usd: 0.015 }
    const { status, body: refusal } = await service.client.send('POST', `/v1/workflows/${id}/runs`, body)
    expect([status, refusal]).toMatchObject([402, { error: { code: 'price_limit_reached' } }])
    expect(await service.db.workflowRun.count()).toBe(runs)
  })

  describe('by an agent with tools alone', () => {
    let client: McpClient
    beforeAll(async () => {
      client = new McpClient({ name: 'agent', version: '1' })
      const headers = { authorization: `Bearer ${service.token}` }
      const url = new URL(`${service.baseUrl}/mcp`)
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    })
    afterAll(() => client.close())

    const use = async (name: string, given: Record<string, unknown>) => {
      const answered = await client.callTool({ name: `svc.${name}`, arguments: given })
      expect([name, answered.isError ?? false, answered.content[0]]).toEqual([name, false, expect.anything()])
      const links = answered.content.flatMap((one) => (one.type === 'resource_link' ? [one.uri] : []))
      return { links, ...toolAnswer.parse(answered.structuredContent) }
    }
    const ended = async (job_id = '') => {
      for (;;) {
        const { run: going, job, ...rest } = await use('get_job', { job_id, wait_seconds: 30 })
        const { status, error } = going ?? job ?? expect.fail()
        if (status === 'completed') return rest
        expect([status, error]).toEqual([expect.stringMatching(/^(queued|running)$/), undefined])
      }
    }

    it.each([
      ['clips of the funniest laughs', 'find-funny-clips', 2],
      ['clips where a phrase is said', 'find-exact-words', 1],
      ['remove the ums and uhs', 'clean-speech', 1],
      ['a thumbnail for the video', 'pick-thumbnails', 6],
      ['make my videos searchable', 'searchable-media-memory', 0],
    ] as const)('"%s" is planned, run and fetched as %s', async (goal, id, files) => {
      const { workflow } = await use('plan_integration', { goal, media: 'url' })
      expect(workflow?.id).toBe(id)
      const { settings } = cases.find((each) => each.id === id) ?? expect.fail()
      const chain = { workflow_id: id, media_url, media_seconds: 48, settings }
      const { plan } = await use('create_workflow_job', chain)
      const limit = { max_price_usd: plan?.max_price_usd, mode: 'run_all' }
      const { run: started } = await use('create_workflow_job', { ...chain, ...limit })
      const { links } = await ended(started?.id)
      expect(links).toHaveLength(files)
      for (const link of links) expect((await fetch(link)).status).toBe(200)
    })

    it('every place where a word is said becomes one file', async () => {
      const settings = {
        'audio/find-words': { queries: ['asterisk'] },
        'video/clip-near': { join: true, before_seconds: 0.5, after_seconds: 1, snap: 'none' },
      }
      const chain = { workflow_id: 'find-exact-words', media_url, media_seconds: 48, settings, mode: 'run_all' }
      const { run: started } = await use('create_workflow_job', chain)
      expect((await ended(started?.id)).links).toHaveLength(1)
      const { result } = await use('get_job_result', { job_id: started?.id })
      const { windows, receipt } = z
        .object({ windows: z.array(z.unknown()), receipt: z.object({ ranges: z.array(z.unknown()) }) })
        .parse(result)
      expect(windows.length).toBeGreaterThan(1)
      expect(receipt.ranges.length).toBeGreaterThan(1)
    })

    it.each([cases[0], cases.at(-1)])('$id continues step by step, with the jobs of all its steps', async (each) => {
      const { id = '', settings = {}, files = 0 } = each ?? {}
      const chain = { workflow_id: id, media_url, settings, mode: 'queue_first' }
      const jobs = [(await use('create_workflow_job', chain)).job?.id ?? '']
      for (const _ of getChain(id).steps.slice(1)) {
        const [job_id = '', ...earlier] = jobs.toReversed()
        await ended(job_id)
        const next = { job_id, earlier_job_ids: earlier, workflow_id: id, media_url, queue: true }
        jobs.push((await use('continue_workflow_job', next)).job?.id ?? '')
      }
      await ended(jobs.at(-1))
      const { links } = await use('get_job_result', { job_id: jobs.at(-1) })
      // What has times also has an export.
      expect(links.filter((link) => !link.includes('/export'))).toHaveLength(files)
    })
  })
})
