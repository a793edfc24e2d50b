import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { fixture, speech } from '../fixtures/make.ts'
import { framesOf, pcmOf, temporaryFolder } from '../media/measure.ts'
import { runFfmpeg } from '../setup/tools.ts'
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

async function made(name: string, options: readonly string[]): Promise<string> {
  const file = path.join(temporaryFolder(), name)
  await runFfmpeg(...options, file)
  return file
}

const run = z.object({
  status: z.string(),
  price_usd: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  saved: z.object({ seconds_in: z.number(), seconds_out: z.number(), cuts: z.number() }).optional(),
  outputs: z.array(z.object({ url: z.url(), duration: z.number() })).optional(),
  steps: z.array(z.object({ job_id: z.string().optional() })),
})

interface Given {
  readonly start?: number
  readonly end?: number
  readonly settings?: Readonly<Record<string, object>>
}

/** Runs the chain, by default as a caller does who knows no setting of it. */
async function runChain(file: string, given: Given = {}) {
  const media_url = await service.client.upload(file)
  const url = '/v1/workflows/remove-dead-space/runs?wait=60'
  const { body } = await service.client.send('POST', url, { mode: 'run_all', media_url, ...given })
  return z.object({ run }).parse(body).run
}

const capturedUsd = async (jobIds: readonly (string | undefined)[]) => {
  const where = { jobId: { in: jobIds.filter((id) => id !== undefined) }, kind: 'capture' } as const
  const { _sum } = await service.db.ledgerEntry.aggregate({
    where,
    _sum: { creditMicroUsd: true, billableMicroUsd: true },
  })
  return Number((_sum.creditMicroUsd ?? 0n) + (_sum.billableMicroUsd ?? 0n)) / 1e6
}

const picture = ['-f', 'lavfi', '-i', 'color=s=64x36:r=10:d=60']

/** Five stretches of the recording, of six seconds each, with two seconds of silence between them. */
function withPauses(): Promise<string> {
  const starts = [1, 11, 21, 31, 41]
  const pieces = starts.map(
    (start, index) => `[0]atrim=${start}:${start + 6},asetpts=PTS-STARTPTS,apad=pad_dur=2[p${index}]`,
  )
  const joined = `${starts.map((_, index) => `[p${index}]`).join('')}concat=n=${starts.length}:v=0:a=1`
  return made('talk.wav', ['-i', speech, '-filter_complex', [...pieces, joined].join(';')])
}

describe('without settings, the speech of a quiet recording stays as that of a loud one', () => {
  let talk: string
  let loud: z.output<typeof run>
  beforeAll(async () => {
    talk = await withPauses()
    loud = await runChain(talk)
    expect(loud).toMatchObject({ status: 'completed', saved: { cuts: 5 } })
  })

  it.each([
    ['at -32 dB', 'quiet.wav', ['-af', 'volume=-32dB']],
    ['at -40 dB, as FLAC of 24 bits', 'quiet.flac', ['-af', 'volume=-40dB', '-sample_fmt', 's32']],
    ['at -32 dB, as MP3', 'quiet.mp3', ['-af', 'aresample=44100,volume=-32dB']],
    [
      'at -32 dB, in a film',
      'quiet.mp4',
      [...picture, '-shortest', '-af', 'aresample=44100,volume=-32dB', '-c:a', 'aac'],
    ],
    [
      'at -30 dB, over hiss',
      'hiss.wav',
      [
        ...['-f', 'lavfi', '-i', 'anoisesrc=r=8000:c=pink:a=1:s=3:d=40', '-filter_complex'],
        '[1]volume=-35dB[hiss];[0][hiss]amix=2:normalize=0:duration=first,volume=-30dB',
      ],
    ],
    ['at -32 dB, in one channel', 'one.wav', ['-af', 'volume=-32dB,pan=stereo|c0=0*c0|c1=c0']],
  ])('%s', async (_what, name, options) => {
    const { status, error, saved, outputs } = await runChain(await made(name, ['-i', talk, ...options]))
    expect([status, error]).toEqual(['completed', undefined])
    expect(saved?.cuts).toBe(loud.saved?.cuts)
    expect(Math.abs((saved?.seconds_out ?? 0) - (loud.saved?.seconds_out ?? 0))).toBeLessThan(0.3)
    expect(Math.abs((outputs?.[0]?.duration ?? 0) - (saved?.seconds_out ?? 0))).toBeLessThan(0.2)
  })
})

const said = (seconds: number, rest: string) => `atrim=end=${seconds},${rest}`

describe('a run that would cut more than 80 % of its media', () => {
  it.each<[string, string, string[], Given]>([
    ['a few words in a minute of silence', 'words.wav', ['-i', speech, '-af', said(3, 'apad=whole_dur=60')], {}],
    [
      'a quiet sentence and then nothing',
      'lost.mp3',
      ['-i', speech, '-af', said(3, 'volume=-32dB,apad=whole_dur=40')],
      {},
    ],
    [
      'a film that speaks once',
      'film.mp4',
      [...picture, '-i', speech, '-t', '50', '-af', said(4, 'apad=whole_dur=50'), '-c:a', 'aac'],
      {},
    ],
    [
      'quiet speech with a threshold above it',
      'quiet.wav',
      ['-i', speech, '-af', 'volume=-32dB'],
      { settings: { 'audio/detect-silence': { threshold: -36 } } },
    ],
    [
      'a window with little sound of media with much',
      'ends.flac',
      ['-i', speech, '-af', 'adelay=20s:all=1,volume=-20dB'],
      { start: 0, end: 22 },
    ],
  ])('is charged for its detection alone, and goes on if asked to: %s', async (_what, name, options, given) => {
    const file = await made(name, options)
    const stopped = await runChain(file, given)
    expect(stopped).toMatchObject({
      status: 'failed',
      error: {
        code: 'cut_too_large',
        message: expect.stringMatching(/would cut (8\d|9\d) % of the media .* not charged/),
      },
    })
    expect([stopped.outputs, stopped.steps.map(({ job_id }) => typeof job_id)]).toEqual([
      undefined,
      ['string', 'string', 'undefined'],
    ])
    const [detection] = stopped.steps
    expect(stopped.price_usd).toBe(await capturedUsd([detection?.job_id]))
    expect(await capturedUsd(stopped.steps.map(({ job_id }) => job_id))).toBe(stopped.price_usd)
    const { heldMicroUsd } = await service.db.account.findUniqueOrThrow({ where: { id: service.accountId } })
    expect(heldMicroUsd).toBe(0n)

    const settings = { ...given.settings, 'timeline/suggest-ranges': { allow_large_cuts: true } }
    const { status, saved, outputs } = await runChain(file, { ...given, settings })
    expect([status, outputs?.length]).toEqual(['completed', 1])
    expect(saved?.seconds_out).toBeLessThan(0.2 * (saved?.seconds_in ?? 0))
    expect(await checkLedger(service.db)).toEqual([])
  })
})
