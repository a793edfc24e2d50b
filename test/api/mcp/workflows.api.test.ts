import { describe, expect, it } from 'vitest'
import { stepJobId } from '../../../src/chains/step-request.ts'
import { settleRun } from '../../../src/jobs/start-and-end.ts'
import { modelNames } from '../../../src/models/models.ts'
import { untilFound } from '../../until-found.ts'
import { mediaUrl, useApi } from '../api.ts'
import { completeJob } from '../jobs/complete-job.ts'
import { createAgent } from './agent.ts'

const api = await useApi({}, { models: new Set(modelNames.filter((name) => name !== 'find-faces')) })

const chain = { workflow_id: 'remove-dead-space', media_url: mediaUrl, media_seconds: 60 }
const url = '/v1/workflows/remove-dead-space/runs'

async function newAgent() {
  const account = await api.newAccount()
  const agent = createAgent(api, account.token)
  const use = async (name: string, given: object) => (await agent.use(name, given)).structuredContent
  return { ...account, agent, use, count: () => api.db.job.count({ where: { accountId: account.accountId } }) }
}

describe('svc.create_workflow_job', () => {
  it('plans like REST, and spends nothing', async () => {
    const { use, post, count } = await newAgent()
    const { plan } = await use('svc.create_workflow_job', chain)
    const { workflow_id: _, ...request } = chain
    expect(plan).toEqual((await post(url, request)).body.plan)
    expect(await count()).toBe(0)
  })

  it.each(['queue_first', 'run_all'])(
    'with %s makes one job, however often it is asked, through either door',
    async (mode) => {
      const { use, post, count } = await newAgent()
      const given = { ...chain, mode, idempotency_key: 'once' }
      const { job, run, deduplicated } = await use('svc.create_workflow_job', given)
      expect(deduplicated).toBe(false)
      if (run) expect(run.steps[0].job_id).toBe(stepJobId(run.id, 0))
      const again = await use('svc.create_workflow_job', given)
      expect([again['deduplicated'], again['job']?.id, again['run']?.id]).toEqual([true, job?.id, run?.id])
      const { workflow_id: _, ...request } = chain
      const { body, headers } = await post(url, { ...request, mode }, { 'idempotency-key': 'once' })
      expect([headers['idempotent-replayed'], body.job?.id, body.run?.id]).toEqual(['true', job?.id, run?.id])
      expect(await count()).toBe(1)
    },
  )

  it('refuses settings in which a plan left something open', async () => {
    const { agent, count } = await newAgent()
    const settings = { 'audio/find-words': { queries: ['<words>'] } }
    const given = { ...chain, workflow_id: 'find-exact-words', mode: 'run_all', settings }
    const { isError, content } = await agent.use('svc.create_workflow_job', given)
    expect([isError, content[0]?.['text']]).toEqual([true, expect.stringContaining('Replace <words>')])
    expect(await count()).toBe(0)
  })

  it('refuses a chain with previews, and a key that does not cover every step', async () => {
    const { agent, keyId } = await newAgent()
    const preview = { ...chain, workflow_id: 'pick-thumbnails' }
    expect(await agent.failure('svc.create_workflow_job', preview)).toBe('endpoint_unavailable')
    await api.db.apiKey.update({ where: { id: keyId }, data: { scope: 'audio/*' } })
    expect(await agent.failure('svc.create_workflow_job', chain)).toBe('connector_scope_denied')
  })
})

describe('svc.get_job', () => {
  it('follows a run by its id, to its end', async () => {
    const { agent, use } = await newAgent()
    const { run } = await use('svc.create_workflow_job', { ...chain, mode: 'run_all' })
    const queued = await agent.use('svc.get_job', { job_id: run.id })
    expect(queued.structuredContent['run']).toEqual(run)
    expect(queued.content[0]?.['text']).toContain(`svc.get_job with ${run.id} as job_id`)
    const waiting = agent.use('svc.get_job', { job_id: run.id, wait_seconds: 30 })
    await untilFound(() => api.waits.has(run.id))
    const failure = { code: 'spend_cap_reached', message: 'The cap is reached.' } as const
    await settleRun(api.db, { runId: run.id, lastJobId: 'none', failure })
    const ended = await waiting
    expect(ended.structuredContent['run']).toMatchObject({ status: 'failed', error: { code: 'spend_cap_reached' } })
    expect(ended.content[0]?.['text']).toContain('spend_cap_reached: The cap is reached.')
  })

  it('finds no run of another account, and none whose steps the key does not all cover', async () => {
    const [owner, stranger] = [await newAgent(), await newAgent()]
    const { run } = await owner.use('svc.create_workflow_job', { ...chain, mode: 'run_all' })
    expect(await stranger.agent.failure('svc.get_job', { job_id: run.id })).toBe('not_found')
    await api.db.apiKey.update({ where: { id: owner.keyId }, data: { scope: 'audio/*' } })
    expect(await owner.agent.failure('svc.get_job', { job_id: run.id })).toBe('not_found')
  })
})

describe('svc.continue_workflow_job', () => {
  it("continues step by step with the previous job's result", async () => {
    const { agent, use, count } = await newAgent()
    const { job: first } = await use('svc.create_workflow_job', { ...chain, mode: 'queue_first' })
    await completeJob(api, first.id, { media_seconds: 60, segments: [{ start: 1, end: 9, duration: 8 }] })

    const suggested = await use('svc.continue_workflow_job', { job_id: first.id })
    expect(suggested['next']).toMatchObject({ endpoint: 'timeline/suggest-ranges', settings: { job_id: first.id } })
    expect(await count()).toBe(1)
    const filled = { job_id: first.id, settings: { job_id: first.id } }
    const { content } = await agent.use('svc.continue_workflow_job', filled)
    expect(content[0]?.['text']).toBe('invalid_request: settings.job_id is set by the chain. Leave it out.')

    const { job: second } = await use('svc.continue_workflow_job', { job_id: first.id, queue: true })
    expect(second.endpoint).toBe('timeline/suggest-ranges')
    const again = await use('svc.continue_workflow_job', { job_id: first.id, queue: true })
    expect([again['deduplicated'], again['job'].id]).toEqual([true, second.id])
    await completeJob(api, second.id, {
      media_seconds: 30,
      ranges: [{ start: 1, end: 9, duration: 8 }],
      saved_seconds: 22,
    })

    const clip = { job_id: second.id, settings: { quality: 'fast' }, queue: true }
    const last = await use('svc.continue_workflow_job', clip)
    expect(last['next'].settings).toMatchObject({ ranges: [{ start: 1, end: 9 }], quality: 'fast' })
    const rows = await api.db.job.findMany({ where: { id: { in: [first.id, last['job'].id] } } })
    expect(rows.map((row) => row.mediaUrl)).toEqual([mediaUrl, mediaUrl])
    await completeJob(api, last['job'].id, {})
    const end = await use('svc.continue_workflow_job', { job_id: last['job'].id })
    expect(end).toEqual({ workflow_id: 'remove-dead-space' })
  })

  it('reads the bytes that the job before read, and other media if it is sent', async () => {
    const { use, agent, upload } = await newAgent()
    const media = await upload()
    const started = { ...chain, workflow_id: 'find-funny-clips', mode: 'queue_first', media_url: media }
    const { job: laughs } = await use('svc.create_workflow_job', started)
    await completeJob(api, laughs.id, { media_seconds: 60, segments: [{ start: 20, end: 22 }] })
    const next = { job_id: laughs.id, queue: true }
    const { job: other } = await use('svc.continue_workflow_job', { ...next, media_url: mediaUrl })
    const { job: same } = await use('svc.continue_workflow_job', next)
    const mediaOf = (id: string) =>
      api.db.job.findUniqueOrThrow({
        where: { id },
        select: { mediaUrl: true, mediaKey: true, mediaGeneration: true, mediaName: true },
      })
    expect(await mediaOf(same.id)).toEqual(await mediaOf(laughs.id))
    expect(await mediaOf(other.id)).toMatchObject({ mediaUrl, mediaKey: null })
    const { mediaKey } = await mediaOf(laughs.id)
    await api.storage.delete(mediaKey ?? '')
    const later = { ...next, settings: { threshold: -40 } }
    expect(await agent.failure('svc.continue_workflow_job', later)).toBe('not_found')
  })

  it('stays in the window of the first job', async () => {
    const { use } = await newAgent()
    const started = { ...chain, workflow_id: 'find-funny-clips', mode: 'queue_first', start: 10, end: 40 }
    const { job: laughs } = await use('svc.create_workflow_job', started)
    await completeJob(api, laughs.id, { media_seconds: 60, segments: [{ start: 20, end: 22 }] })
    const next = { job_id: laughs.id, media_url: mediaUrl }
    const suggested = await use('svc.continue_workflow_job', next)
    expect(suggested['next']).toMatchObject({ endpoint: 'audio/detect-silence', start: 10, end: 40 })
    const { job } = await use('svc.continue_workflow_job', { ...next, queue: true })
    expect(job).toMatchObject({ start: 10, end: 40 })
  })

  it('refuses the key of a step for a step on other media', async () => {
    const { use, agent, upload } = await newAgent()
    const steps: object[] = []
    for (let films = 0; films < 2; films += 1) {
      const started = { ...chain, workflow_id: 'find-funny-clips', mode: 'queue_first', media_url: await upload() }
      const { job: laughs } = await use('svc.create_workflow_job', started)
      await completeJob(api, laughs.id, { media_seconds: 60, segments: [{ start: 20, end: 22 }] })
      steps.push({ job_id: laughs.id, queue: true, idempotency_key: 'second-step' })
    }
    const [one, other] = steps
    const { job } = await use('svc.continue_workflow_job', one ?? {})
    expect((await use('svc.continue_workflow_job', one ?? {}))['job'].id).toBe(job.id)
    expect(await agent.failure('svc.continue_workflow_job', other)).toBe('idempotency_conflict')
  })

  it('uses the jobs of several steps, and finds the chain that has them all', async () => {
    const { agent, use } = await newAgent()
    const first = { ...chain, workflow_id: 'find-funny-clips', mode: 'queue_first' }
    const { job: laughs } = await use('svc.create_workflow_job', first)
    await completeJob(api, laughs.id, { media_seconds: 60, segments: [{ start: 20, end: 22 }] })
    const { job: pauses } = await use('svc.continue_workflow_job', {
      job_id: laughs.id,
      media_url: mediaUrl,
      queue: true,
    })
    expect(pauses.endpoint).toBe('audio/detect-silence')
    await completeJob(api, pauses.id, { media_seconds: 60, segments: [] })
    const alone = { job_id: pauses.id, workflow_id: 'find-funny-clips', media_url: mediaUrl }
    expect(await agent.failure('svc.continue_workflow_job', alone)).toBe('invalid_request')
    const both = { job_id: pauses.id, media_url: mediaUrl, earlier_job_ids: [laughs.id] }
    const { workflow_id, next } = await use('svc.continue_workflow_job', both)
    expect([workflow_id, next.settings]).toMatchObject(['find-funny-clips', { moments: [20], before_seconds: 10 }])
  })
})
