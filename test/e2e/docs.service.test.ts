import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createKey } from '../../src/accounts/keys.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { fixture } from '../fixtures/make.ts'
import { untilFound } from '../until-found.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

// Every sample of /docs, run by a shell as it stands, with the variables that it names.

const run = promisify(execFile)

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        security: z.array(z.record(z.string(), z.unknown())).optional(),
        'x-codeSamples': z.array(z.object({ lang: z.string(), label: z.string(), source: z.string() })).optional(),
      }),
    ),
  ),
})

let service: SharedService
let folder: string
let mediaUrl: string
let filmUrl: string
let slidesUrl: string

beforeAll(async () => {
  service = await useSharedService()
  folder = await mkdtemp(path.join(tmpdir(), 'media timeline docs '))
  mediaUrl = await service.client.upload('test/fixtures/speech.wav')
  filmUrl = await service.client.upload(await fixture('long-film.mp4'))
  slidesUrl = await service.client.upload(await fixture('slides.mp4'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const document = async () => documentSchema.parse(await (await fetch(`${service.baseUrl}/openapi.json`)).json())

async function post(url: string, body: object) {
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
  const response = await fetch(`${service.baseUrl}${url}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return z.looseObject({}).parse(await response.json())
}

/** What a variable of a sample names: new for each sample that has it, because some samples end what they name. */
const variables: Readonly<Record<string, () => string | Promise<string>>> = {
  ...{ LEVEL: () => '4', TILE: () => '0', WORKFLOW_ID: () => 'remove-dead-space' },
  ...{ API_KEY: () => service.token, MEDIA_URL: () => mediaUrl, FILE: () => path.resolve('test/fixtures/speech.wav') },
  ...{ JOB_ID: newJob, WEBHOOK_ENDPOINT_ID: newWebhookEndpoint, SHARE_ID: newShare, BRAND_ID: newBrand },
  ...{ BATCH_ID: newBatch, DIRECTIVE_ID: newDirective },
  EVENT_ID: async () => {
    const [event] = await service.db.event.findMany({ where: { accountId: service.accountId }, take: 1 })
    return event?.id ?? ''
  },
  RUN_ID: async () => {
    const planned = { mode: 'run_all', media_url: mediaUrl, media_seconds: 73.34875 }
    const created = await post('/v1/workflows/remove-dead-space/runs', planned)
    return z.object({ run: z.object({ id: z.string() }) }).parse(created).run.id
  },
  KEY_ID: async () => (await createKey(service.db, { accountId: service.accountId, name: 'named' })).keyId,
  UPLOAD_ID: async () => {
    const presigned = await post('/v1/uploads/presign', { filename: 'talk.wav' })
    return z.object({ upload: z.object({ id: z.string() }) }).parse(presigned).upload.id
  },
}

async function newJob(): Promise<string> {
  const created = await post('/v1/jobs?wait=60', { endpoint: 'audio/detect-silence', media_url: mediaUrl })
  return z.object({ job_id: z.string() }).parse(created).job_id
}

/** Instead of the one before: an account has ten at most. */
async function newWebhookEndpoint(): Promise<string> {
  await service.db.webhookEndpoint.deleteMany({ where: { accountId: service.accountId } })
  const created = await post('/v1/webhook-endpoints', { url: 'https://hooks.example/media' })
  return z.object({ webhook_endpoint: z.object({ id: z.string() }) }).parse(created).webhook_endpoint.id
}

/** Instead of those before: an account has a hundred at most. */
async function newShare(): Promise<string> {
  await service.db.share.deleteMany({ where: { accountId: service.accountId } })
  const created = await post('/v1/shares', { job_id: await newJob() })
  return z.object({ share: z.object({ id: z.string() }) }).parse(created).share.id
}

/** Instead of those before: an account has twenty at most. */
async function newBrand(): Promise<string> {
  await service.db.brand.deleteMany({ where: { accountId: service.accountId } })
  const created = await post('/v1/brands', { name: 'Talks' })
  return z.object({ brand: z.object({ id: z.string() }) }).parse(created).brand.id
}

const work = { endpoint: 'audio/detect-silence', max_price_usd: 0.01 }

/** Instead of those before, and ended: only an ended batch can be deleted. */
async function newBatch(): Promise<string> {
  const { accountId, db } = service
  await db.batch.deleteMany({ where: { accountId } })
  const created = await post('/v1/batches', { ...work, media_urls: [mediaUrl], cap_usd: 1 })
  const { id } = z.object({ batch: z.object({ id: z.string() }) }).parse(created).batch
  await untilFound(async () => (await db.batch.findUniqueOrThrow({ where: { id } })).endedAt)
  return id
}

async function newDirective(): Promise<string> {
  const created = await post('/v1/directives', { ...work, match: { file_name: 'none' }, monthly_cap_usd: 1 })
  return z.object({ directive: z.object({ id: z.string() }) }).parse(created).directive.id
}

/** A completed run, for its export. */
async function completedRun(): Promise<string> {
  const body = { mode: 'run_all', media_url: mediaUrl, end: 6 }
  const answer = await service.client.send('POST', '/v1/workflows/remove-dead-space/runs?wait=60', body)
  const { run: made } = z.object({ run: z.object({ id: z.string(), status: z.string() }) }).parse(answer.body)
  expect(made.status).toBe('completed')
  return made.id
}

const createRunPath = '/v1/workflows/{workflow_id}/runs'

const interpreters: Readonly<Record<string, string>> = {
  shell: 'bash',
  python: 'python3',
  javascript: process.execPath,
}
const suffixes: Readonly<Record<string, string>> = { shell: 'sh', python: 'py', javascript: 'mjs' }

async function runSample(
  name: string,
  { lang, source }: { readonly lang: string; readonly source: string },
  more: Readonly<Record<string, string>> = {},
) {
  const script = path.join(folder, `${name}.${suffixes[lang]}`)
  await writeFile(script, source)
  const env: Record<string, string | undefined> = { PATH: process.env['PATH'], HOME: folder, ...more }
  for (const [variable, value] of Object.entries(variables))
    if (!(variable in more) && new RegExp(`\\b${variable}\\b`).test(source)) env[variable] = await value()
  const { stdout } = await run(interpreters[lang] ?? '', [script], { env, cwd: folder })
  return stdout
}

const objectIn = (json: string) => z.looseObject({}).parse(JSON.parse(json))

describe('the samples of /docs', () => {
  it.each(endpoints)('for $id are programs in three languages that print its result', async ({ id, ...endpoint }) => {
    // Looking for text in a minute of noise takes two minutes of processor time.
    const film = id === 'video/text-frames' ? slidesUrl : filmUrl
    const media = endpoint.readsMedia && endpoint.needs.video ? { MEDIA_URL: film } : {}
    const { paths } = await document()
    const { operationId = '', 'x-codeSamples': samples = [] } = paths[`/v1/${id}`]?.['post'] ?? {}
    expect(samples.map(({ label }) => label)).toEqual(['Node.js', 'Python', 'curl'])
    for (const sample of samples)
      expect(Object.keys(objectIn(await runSample(operationId, sample, media))).length).toBeGreaterThan(0)
  })

  it('for a run of a chain are programs in three languages that print its result', async () => {
    const { paths } = await document()
    const { operationId = '', 'x-codeSamples': samples = [] } = paths[createRunPath]?.['post'] ?? {}
    expect(samples.map(({ label }) => label)).toEqual(['Node.js', 'Python', 'curl'])
    for (const sample of samples) expect(await runSample(operationId, sample)).toContain('"receipt":')
  })

  it('for all other operations are calls that succeed', async () => {
    const { paths } = await document()
    const programs = new Set([...endpoints.map(({ id }) => `/v1/${id}`), createRunPath])
    const operations = Object.entries(paths)
      .filter(([url]) => !programs.has(url) && !url.startsWith('/api/auth/'))
      .flatMap(([, item]) => Object.values(item))
    expect(operations.length).toBeGreaterThan(20)
    for (const { operationId, security = [], 'x-codeSamples': samples = [] } of operations) {
      // A sample has no session's cookie.
      const isForSessions = security.length > 0 && security.every((way) => 'Session' in way)
      expect([operationId, samples.length]).toEqual([operationId, isForSessions ? 0 : 1])
      // Without a payment provider, there is no billing page to link to.
      if (operationId === 'createBillingLink') continue
      for (const sample of samples) {
        const more = operationId === 'exportWorkflowRun' ? { RUN_ID: await completedRun() } : {}
        const answer = await runSample(operationId, sample, more)
        if (operationId === 'getWaveformTile') expect(answer.length).toBeGreaterThan(0)
        else if (operationId.startsWith('export')) expect(answer).toMatch(/^start,end,duration,label\r\n/)
        else expect(objectIn(answer)).toEqual(expect.any(Object))
      }
    }
  })
})

it('/llms.txt names every endpoint, and its links open', async () => {
  const response = await fetch(`${service.baseUrl}/llms.txt`)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await response.text()
  expect(text.length).toBeLessThan(6500)
  for (const { id } of endpoints) expect(text).toContain(`[${id}](`)
  const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(endpoints.length)
  for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200])
})
