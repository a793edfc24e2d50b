import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { codeExample, exampleLanguages, exampleSources } from '../../api/catalog/code-example.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { endpoints, liveEndpoint } from '../../src/endpoints/catalog.ts'
import { runFfmpeg } from '../setup/tools.ts'
import { mediaPort, type SharedService, useSharedService } from './shared-service.ts'

const run = promisify(execFile)

let service: SharedService
let server: Server
let media: { readonly url: string; readonly file: string }
let folder: string

beforeAll(async () => {
  const port = mediaPort('agents')
  folder = await mkdtemp(path.join(tmpdir(), 'media timeline agents '))
  const file = path.join(folder, 'talk.mp4')
  await makeTalk(file)
  server = createServer((_request, response) => createReadStream(file).pipe(response)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  media = { url: `http://127.0.0.1:${port}/talk.mp4`, file }
  service = await useSharedService()
})

afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** 36 seconds: a tone that is silent from 10 to 12 and from 20 to 23. */
async function makeTalk(file: string): Promise<void> {
  const volume = "volume='if(between(t,10,12)+between(t,20,23),0,1)':eval=frame"
  const picture = ['-f', 'lavfi', '-i', 'smptebars=size=160x120:rate=10:duration=36']
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=300:duration=36,${volume}`]
  await runFfmpeg(...picture, ...sound, '-pix_fmt', 'yuv420p', '-shortest', file)
}

describe.each(['legacy', 'auto'] as const)('an agent with an address and a key, version negotiation %s', (mode) => {
  it('finds, prices, uploads, runs, waits and returns a link', async () => {
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } })
    const headers = { authorization: `Bearer ${service.token}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit: { headers } }),
    )
    const use = async (name: string, given: Record<string, unknown> = {}) => {
      const answer = await client.callTool({ name: `svc.${name}`, arguments: given })
      expect([name, answer.isError ?? false, answer.content[0]]).toEqual([name, false, expect.anything()])
      return { ...answer, structured: z.record(z.string(), z.any()).parse(answer.structuredContent) }
    }

    const plan = await use('plan_integration', { goal: 'remove the silences of a talk', media: 'file' })
    expect(plan.structured['workflow'].id).toBe('remove-dead-space')
    const estimate = await use('estimate_cost', { endpoint: 'audio/detect-silence', media_seconds: 36 })

    const { upload } = (await use('create_upload', { filename: 'talk.mp4' })).structured
    const put = { method: 'PUT', headers: upload.upload_headers, body: await readFile(media.file) }
    expect((await fetch(upload.upload_url, put)).status).toBe(200)
    const detect = { endpoint: 'audio/detect-silence', media_url: upload.media_url }
    const ready = await use('check_job_readiness', detect)
    expect(ready.structured).toMatchObject({ ready: true, estimate: { media_seconds: expect.closeTo(36, 0) } })

    const ended = async (jobId: string) => {
      const told: number[] = []
      const wait = { name: 'svc.get_job', arguments: { job_id: jobId, wait_seconds: 60 } }
      const { structuredContent } = await client.callTool(wait, {
        onprogress: ({ progress }) => void told.push(progress),
      })
      expect(told.length).toBeGreaterThan(0)
      expect(told).toEqual(told.toSorted((a, b) => a - b))
      expect(structuredContent).toMatchObject({ job: { status: 'completed' } })
    }
    const detected = (await use('create_job', { ...detect, idempotency_key: `detect-${mode}` })).structured
    await ended(detected['job_id'])
    const { result, final_price_usd } = (await use('get_job_result', { job_id: detected['job_id'] })).structured
    expect(final_price_usd).toBeLessThanOrEqual(estimate.structured['estimated_price_usd'] + 0.0001)
    expect(result.silences).toMatchObject([{ start: expect.closeTo(10, 0) }, { start: expect.closeTo(20, 0) }])

    const ranges = result.segments.map(({ start, end }: { start: number; end: number }) => ({ start, end }))
    const clip = { endpoint: 'video/clip-window', media_url: upload.media_url, settings: { ranges } }
    const cut = (await use('create_job', clip)).structured
    await ended(cut['job_id'])
    const { content } = await use('get_job_result', { job_id: cut['job_id'] })
    const links = content.filter((one) => one.type === 'resource_link')
    expect(links).toHaveLength(1)
    for (const { uri, size, mimeType } of links) {
      const response = await fetch(uri)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, mimeType])
      expect((await response.arrayBuffer()).byteLength).toBe(size)
    }
    const fresh = await use('regenerate_output_url', { job_id: cut['job_id'] })
    expect(fresh.structured['job'].result.output.duration).toBeCloseTo(31, 0)
    await client.close()
  })
})

it('learns from diagnostics that everything works', async () => {
  const client = new Client({ name: 'agent', version: '1' })
  const headers = { authorization: `Bearer ${service.token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit: { headers } }),
  )
  const { structuredContent } = await client.callTool({ name: 'svc.run_agent_diagnostics' })
  expect(structuredContent).toMatchObject({ ok: true })
  await client.close()
})

const message = z.object({
  result: z.object({ structuredContent: z.object({ file_name: z.string(), code: z.string() }) }),
})

async function exampleOf(given: Record<string, unknown>) {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc.get_code_example', arguments: given },
  }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${service.baseUrl}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
  return message.parse(await response.json()).result.structuredContent
}

const commands = { nodejs: process.execPath, python: 'python3', curl: 'bash' }

describe.each(exampleLanguages)('the examples in %s', (language) => {
  it('use the second address if the first does not answer', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    const endpoint = liveEndpoint('audio/detect-silence')
    const bases = { BASE_URL: nobody, FALLBACK_BASE_URL: service.baseUrl }
    const { fileName, code } = codeExample(bases, { endpoint, language, source: 'url' })
    const script = path.join(folder, `second-${fileName}`)
    await writeFile(script, code)
    const env = { ...process.env, API_KEY: service.token, MEDIA_URL: media.url }
    const { stdout } = await run(commands[language], [script], { env })
    expect(stdout).toContain('total_silence_seconds')
  })

  it.each(endpoints.flatMap(({ id }) => exampleSources.map((source) => [id, source] as const)))(
    'run %s on media from a %s',
    async (endpoint, source) => {
      const { file_name, code } = await exampleOf({ language, endpoint, source })
      const script = path.join(folder, `${language}-${source}-${path.basename(endpoint)}${path.extname(file_name)}`)
      await writeFile(script, code)
      const env = { ...process.env, API_KEY: service.token, MEDIA_URL: media.url, MEDIA_FILE: media.file }
      const { stdout } = await run(commands[language], [script], { env })
      expect(JSON.parse(stdout)).toEqual(expect.any(Object))
      if (liveEndpoint(endpoint).readsMedia) expect(stdout).toContain('media_seconds')
    },
  )
})
