import { describe, expect, it } from 'vitest'
import { canceledJob, settleJob } from '../../../src/jobs/settle-job.ts'
import { mediaUrl, useApi } from '../api.ts'
import { createAgent } from './agent.ts'

const api = await useApi()

async function newAgent() {
  const account = await api.newAccount()
  return { ...account, agent: createAgent(api, account.token) }
}

describe('svc.cancel_job', () => {
  it('requests the cancellation of a job, as POST /v1/jobs/{job_id}/cancel does', async () => {
    const { agent, create, get, post } = await newAgent()
    const jobId = await create()
    for (const _ of ['once', 'again']) {
      const { isError, structuredContent, content } = await agent.use('svc.cancel_job', { job_id: jobId })
      expect([isError, structuredContent['job_id']]).toEqual([undefined, jobId])
      expect(structuredContent['job']).toMatchObject({ status: 'queued', status_detail: 'canceling' })
      expect(JSON.stringify(content)).toContain(`Job ${jobId} is being canceled.`)
    }
    expect((await api.db.job.findUniqueOrThrow({ where: { id: jobId } })).cancelRequestedAt).toBeInstanceOf(Date)
    const read = await agent.use('svc.get_job', { job_id: jobId })
    expect(JSON.stringify(read.content)).toContain(`Job ${jobId} is being canceled.`)
    const { body } = await post(`/v1/jobs/${jobId}/cancel`)
    expect(body.job).toMatchObject({ status: 'queued', status_detail: 'canceling' })
    const { jobs } = (await get('/v1/jobs')).body
    expect(jobs).toMatchObject([{ id: jobId, status_detail: 'canceling' }])
    await settleJob(api.db, jobId, canceledJob)
    expect((await get(`/v1/jobs/${jobId}`)).body.job).toMatchObject({ status: 'failed', status_detail: 'canceled' })
  })

  it('cancels a run by its id, so that it creates no more jobs', async () => {
    const { agent } = await newAgent()
    const chain = { workflow_id: 'remove-dead-space', media_url: mediaUrl, media_seconds: 60, mode: 'run_all' }
    const { run } = (await agent.use('svc.create_workflow_job', chain)).structuredContent
    const { structuredContent, content } = await agent.use('svc.cancel_job', { job_id: run.id })
    expect(structuredContent).toMatchObject({ run: { id: run.id, status_detail: 'canceling' } })
    expect(JSON.stringify(content)).toContain(`Run ${run.id} is being canceled.`)
    expect((await api.db.workflowRun.findUniqueOrThrow({ where: { id: run.id } })).closedAt).toBeInstanceOf(Date)
  })

  it('leaves an ended job as it is, and finds none of another account', async () => {
    const [owner, stranger] = [await newAgent(), await newAgent()]
    const jobId = await owner.create()
    expect(await stranger.agent.failure('svc.cancel_job', { job_id: jobId })).toBe('not_found')
    expect(await stranger.agent.failure('svc.cancel_job', { job_id: 'run_none' })).toBe('not_found')
    await settleJob(api.db, jobId, { code: 'processing_failed', message: 'No.' })
    const { structuredContent } = await owner.agent.use('svc.cancel_job', { job_id: jobId })
    expect(structuredContent['job']).toMatchObject({ status: 'failed', error: { code: 'processing_failed' } })
    expect((await api.db.job.findUniqueOrThrow({ where: { id: jobId } })).cancelRequestedAt).toBeNull()
  })
})
