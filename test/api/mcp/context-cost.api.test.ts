import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { stepJobId } from '../../../src/chains/step-request.ts'
import { acceptStep } from '../../../src/jobs/accept.ts'
import { settleRun } from '../../../src/jobs/start-and-end.ts'
import { mediaUrl, useApi } from '../api.ts'
import { completeJob } from '../jobs/complete-job.ts'
import { presentDraft } from '../jobs/drafts.ts'
import { createAgent } from './agent.ts'

const api = await useApi()
const account = await api.newAccount()

/** Tokens of a model's context: JSON with numbers and ids takes one for about three bytes. */
const bytesPerToken = 3

/** The whole answer, as the client of a model receives it. */
async function use(name: string, given: object) {
  const answer = await createAgent(api, account.token).use(name, given)
  return { ...answer, tokens: Buffer.byteLength(JSON.stringify(answer)) / bytesPerToken }
}

/** Of an hour: ten seconds in every twelve. */
const ranges = Array.from({ length: 300 }, (_, index) => ({
  start: index * 12 + 0.123,
  end: index * 12 + 10.456,
  duration: 10.333,
}))

/** A completed run that cut the hour without its pauses, in 300 ranges. */
async function newRun(): Promise<string> {
  const asked = { workflow_id: 'remove-dead-space', media_url: mediaUrl, media_seconds: 3600, mode: 'run_all' }
  const { run } = (await createAgent(api, account.token).use('svc.create_workflow_job', asked)).structuredContent
  const segments = ranges.map((range) => ({ ...range, mean_db: -20.1, peak_db: -3.2 }))
  const silences = ranges.map(({ end }) => ({ start: end, end: end + 1.667, duration: 1.667 }))
  const steps = [
    { media_seconds: 3600, threshold_db: -40, silences, segments },
    { media_seconds: 3600, ranges, saved_seconds: 500 },
  ]
  const settings = [{}, {}, { ranges: ranges.map(({ start, end }) => ({ start, end })), join: true }]
  const step = (position: number, endpoint: string) =>
    acceptStep(api.db, run.id, {
      ...{ jobId: stepJobId(run.id, position), endpoint, rateMicroUsdPerMinute: 0n, maxPriceMicroUsd: 0n },
      ...{ settings: settings[position] ?? {}, warnings: [] },
      window: { startSeconds: null, endSeconds: null },
      reference: position === 2 ? { url: mediaUrl, object: null, name: 'talk.mp4' } : null,
    })
  await completeJob(api, stepJobId(run.id, 0), steps[0] ?? {})
  await step(1, 'timeline/suggest-ranges')
  await completeJob(api, stepJobId(run.id, 1), steps[1] ?? {})
  await step(2, 'video/clip-window')
  const objectKey = `outputs/${stepJobId(run.id, 2)}/1/clip.mp4`
  await api.storage.write(objectKey, Readable.from(['clip']), 'video/mp4')
  const receipt = {
    ...{ requested: { start: 0, end: 3600 }, presented: { start: 0.12, end: 3598.5 }, frames: 77_500, mode: 'exact' },
    ranges: ranges.map((range, index) => ({ requested: range, presented: range, at_seconds: index * 10.333 })),
  }
  const file = { objectKey, fileName: 'talk-without-pauses.mp4', contentType: 'video/mp4', bytes: 4 }
  const files = [{ ...file, durationSeconds: 3099.9, width: 1920, height: 1080 }]
  await completeJob(api, stepJobId(run.id, 2), { media_seconds: 3600, receipt }, { files })
  await settleRun(api.db, { runId: run.id, lastJobId: stepJobId(run.id, 2) })
  return run.id
}

describe('what an agent reads', () => {
  it('of a run of an hour with 300 ranges takes at most 1,500 tokens an answer', async () => {
    const job_id = await newRun()
    for (const tool of ['svc.get_job', 'svc.get_job_result', 'svc.regenerate_output_url'])
      expect((await use(tool, { job_id })).tokens, tool).toBeLessThan(1500)
    const short = await use('svc.get_job_result', { job_id })
    expect(short.structuredContent['page'].lists['receipt.ranges']).toEqual({ total: 300, shown: expect.any(Number) })
    expect(short.content[0]?.['text']).toContain('from 300 ranges of 0.12–3598.5')
    expect(short.content[0]?.['text']).toContain('Next: the same call with a higher limit.')
    const whole = await use('svc.get_job_result', { job_id, limit: 300 })
    expect(whole.structuredContent['result'].receipt.ranges).toHaveLength(300)
  })

  it('of a job with 300 segments takes at most 1,500 tokens an answer', async () => {
    const job_id = await account.create({ endpoint: 'audio/detect-energy' })
    const segments = ranges.map((range) => ({ ...range, mean_db: -20.1, peak_db: -3.2, score: 0.912 }))
    await completeJob(api, job_id, { media_seconds: 3600, segments })
    for (const tool of ['svc.get_job', 'svc.get_job_result'])
      expect((await use(tool, { job_id })).tokens, tool).toBeLessThan(1500)
  })

  it('of a clip, from its plan to its file, takes at most 8,000 tokens', async () => {
    const given = { endpoint: 'video/clip-window', media_url: mediaUrl, start: 1, end: 3 }
    const receipt = { requested: { start: 1, end: 3 }, presented: { start: 1, end: 3 }, frames: 50, mode: 'exact' }
    const { id } = await presentDraft(api, account, 1, true, { receipt, receipts: undefined })
    const answers = [
      await use('svc.plan_integration', { goal: 'cut a clip from 1 to 3 seconds' }),
      await use('svc.get_endpoint_schema', { endpoint: 'video/clip-window' }),
      await use('svc.create_job', given),
      await use('svc.get_job', { job_id: id }),
      await use('svc.get_job_result', { job_id: id }),
    ]
    expect(answers.map(({ tokens }) => tokens).reduce((sum, tokens) => sum + tokens, 0)).toBeLessThan(8000)
  })
})
