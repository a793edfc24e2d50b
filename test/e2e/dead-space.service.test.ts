import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { fixture, speech } from '../fixtures/make.ts'
import { framesOf, pcmOf, temporaryFolder } from '../media/measure.ts'
import { untilFound } from '../until-found.ts'
import { jointsOf, longestZeros, stepOf } from './joints.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

let service: SharedService
let client: Client

beforeAll(async () => {
  service = await useSharedService()
  const headers = { authorization: `Bearer ${service.token}` }
  client = new Client({ name: 'agent', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit: { headers } }),
  )
})

afterAll(async () => {
  await client.close()
})

async function use(name: string, given: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name: `svc.${name}`, arguments: given })
  expect([name, answer.isError ?? false, answer.content[0]]).toEqual([name, false, expect.anything()])
  return { ...answer, structured: z.record(z.string(), z.any()).parse(answer.structuredContent) }
}

/** Waits like an agent: polls until the run has ended. */
async function ended(runId: string) {
  let answer = await use('get_job', { job_id: runId, wait_seconds: 30 })
  while (['queued', 'running'].includes(answer.structured['run'].status)) {
    answer = await use('get_job', { job_id: runId, wait_seconds: 30 })
  }
  return answer
}

const suggestion = z.object({
  ranges: z.array(z.object({ start: z.number(), end: z.number() })),
  saved_seconds: z.number(),
})

function endsEarly({ ranges }: z.output<typeof suggestion>, mediaSeconds: number): boolean {
  return (ranges.at(-1)?.end ?? 0) < Math.round(mediaSeconds * 1000) / 1000
}

/** Acts like an agent with an address and a key; returns the price paid, the maximum planned, and the file. */
async function removeDeadSpace(file: string, mediaSeconds: number) {
  const found = await use('plan_integration', { goal: 'remove the silences of a talk', media: 'file' })
  const chain = {
    workflow_id: found.structured['workflow'].id,
    settings: {
      'audio/detect-silence': { min_silence_seconds: 0.2 },
      'timeline/suggest-ranges': { padding_seconds: 0.02, min_cut_seconds: 0.1 },
    },
  }
  const { plan } = (await use('create_workflow_job', { ...chain, media_seconds: mediaSeconds })).structured
  const { upload } = (await use('create_upload', { filename: path.basename(file) })).structured
  const put = { method: 'PUT', headers: upload.upload_headers, body: await readFile(file) }
  expect((await fetch(upload.upload_url, put)).status).toBe(200)

  const media = { media_url: upload.media_url, max_price_usd: plan.max_price_usd }
  const { run } = (await use('create_workflow_job', { ...chain, ...media, mode: 'run_all' })).structured
  const { content, structured } = await ended(run.id)
  const { name, ext } = path.parse(file)
  expect(structured['run']).toMatchObject({ status: 'completed', media: { name: name + ext } })
  expect(structured['run'].steps.at(-1).job.result.output.name).toBe(`${name}-without-pauses${ext}`)
  const steps = z.array(z.object({ job_id: z.string() })).parse(structured['run'].steps)
  const jobIds = steps.map(({ job_id }) => job_id)
  const links = content.filter((one) => one.type === 'resource_link')
  const renewed = await use('regenerate_output_url', { job_id: run.id })
  expect(renewed.structured['job_id']).toBe(jobIds.at(-1))
  const results = []
  for (const job_id of jobIds) results.push(await use('get_job_result', { job_id, limit: 1000 }))
  expect(links).toHaveLength(1)
  const made = path.join(temporaryFolder(), `made${path.extname(file)}`)
  for (const { uri } of links) await writeFile(made, Buffer.from(await (await fetch(uri)).arrayBuffer()))
  return {
    jobIds,
    made,
    suggested: suggestion.parse(results[1]?.structured['result']),
    saved: structured['run'].saved,
    paidUsd: results.reduce((sum, { structured }) => sum + Number(structured['final_price_usd']), 0),
    mostUsd: Number(plan.max_price_usd),
  }
}

describe.each([
  ['a recorded talk', async () => speech, 73.34875, 8_000, undefined],
  ['a film of it', async () => fixture('long-film.mp4'), 70, 44_100, 25],
] as const)('an agent removes the dead space of %s', (_what, source, mediaSeconds, sampleRate, framesPerSecond) => {
  it('at most at the planned price: one file, exact to the frame, without clicks', async () => {
    const file = await source()
    const { jobIds, made, suggested, saved, paidUsd, mostUsd } = await removeDeadSpace(file, mediaSeconds)
    expect(suggested.ranges.length).toBeGreaterThan(5)

    expect(paidUsd).toBeGreaterThan(0)
    expect(paidUsd).toBeLessThanOrEqual(mostUsd)
    const { _sum: captured } = await service.db.ledgerEntry.aggregate({
      where: { jobId: { in: jobIds }, kind: 'capture' },
      _sum: { creditMicroUsd: true, billableMicroUsd: true },
    })
    expect(Number((captured.creditMicroUsd ?? 0n) + (captured.billableMicroUsd ?? 0n))).toBe(Math.round(paidUsd * 1e6))
    expect(await checkLedger(service.db)).toEqual([])
    expect(await service.db.account.findUnique({ where: { id: service.accountId } })).toMatchObject({
      heldMicroUsd: 0n,
    })
    await untilFound(async () => (await service.leftFiles()).length === 0)

    const expectedSeconds = mediaSeconds - suggested.saved_seconds
    expect(saved).toEqual({
      seconds_in: expect.closeTo(mediaSeconds, 3),
      seconds_out: expect.closeTo(expectedSeconds, 1),
      cuts:
        suggested.ranges.length -
        1 +
        (suggested.ranges[0]?.start === 0 ? 0 : 1) +
        (endsEarly(suggested, mediaSeconds) ? 1 : 0),
    })
    const [before, after] = [await pcmOf(file), await pcmOf(made)]
    // Times are in milliseconds.
    const frameSeconds = framesPerSecond === undefined ? 0.001 : 1 / framesPerSecond
    expect(Math.abs(after.length / sampleRate - expectedSeconds)).toBeLessThanOrEqual(frameSeconds)
    if (framesPerSecond !== undefined) {
      const frames = (await framesOf(made)).length
      expect(Math.abs(frames - expectedSeconds * framesPerSecond)).toBeLessThanOrEqual(1)
    }

    for (const joint of jointsOf({ before, after, sampleRate, frameSeconds }, suggested.ranges)) {
      // A lossy encoder changes the differences between samples.
      const changed = framesPerSecond === undefined ? 1 : 1.05
      expect(stepOf(joint.made)).toBeLessThanOrEqual(Math.max(...joint.source.map(stepOf)) * changed)
      expect(longestZeros(joint.made)).toBeLessThanOrEqual(Math.max(...joint.source.map(longestZeros)))
    }
  })
})

it('a run on media without pauses is charged for its detection, and makes no copy of the media', async () => {
  const media_url = await service.client.upload(await fixture('noise.mp4'))
  const url = '/v1/workflows/remove-dead-space/runs?wait=60'
  const { body } = await service.client.send('POST', url, { mode: 'run_all', media_url })
  const { run } = z.object({ run: z.looseObject({ steps: z.array(z.looseObject({})) }) }).parse(body)
  expect(run).toMatchObject({
    status: 'failed',
    error: { code: 'nothing_found', message: expect.stringMatching(/^Nothing was removed/) },
    price_usd: Math.ceil((5 / 60) * 2_000) / 1e6,
  })
  expect(run['outputs']).toBeUndefined()
  expect(run.steps.map(({ job_id }) => typeof job_id)).toEqual(['string', 'string', 'undefined'])
})
