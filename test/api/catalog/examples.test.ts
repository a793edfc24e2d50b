import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CodeExample, codeExample, exampleLanguages, runExample } from '../../../api/catalog/code-example.ts'
import { liveEndpoint } from '../../../src/endpoints/catalog.ts'

// The programs against a server that answers as told.

const run = promisify(execFile)
const commands = { nodejs: process.execPath, python: 'python3', curl: 'bash' }
const exampleRequest = { mode: 'run_all', media_url: 'https://media.example/talk.mp4' }
const jobPath = '/v1/jobs/job_1?wait=20'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'media timeline examples '))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Answer {
  /** Without one, the connection ends without an answer. */
  readonly status?: number
  readonly retryAfter?: number
  readonly body?: object
}

interface Received {
  readonly request: string
  readonly key: string | undefined
  readonly atMs: number
}

/** What the program prints with these answers, in order, and the requests that it sent. */
async function play(answers: readonly Answer[], exampleAt: (BASE_URL: string) => CodeExample, command: string) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key']
    const { status, retryAfter, body = {} } = answers[received.length] ?? { status: 400 }
    received.push({ request: `${request.method} ${request.url}`, key: key?.toString(), atMs: Date.now() })
    if (status === undefined) return request.socket.destroy()
    const headers = retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]
    return response.writeHead(status, headers).end(JSON.stringify(body))
  })
  const port = await new Promise<number>((listening) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      listening(typeof address === 'object' && address ? address.port : 0)
    })
  })
  try {
    const { fileName, code } = exampleAt(`http://127.0.0.1:${port}`)
    const script = path.join(folder, `${port}-${fileName}`)
    await writeFile(script, code)
    const env = { PATH: process.env['PATH'], API_KEY: 'mt_live_1', MEDIA_URL: 'https://media.example/talk.mp4' }
    const printed = await run(command, [script], { env }).catch((error: unknown) => ({ stdout: '', error }))
    return { received, ...printed }
  } finally {
    server.close()
  }
}

const job = (fields: object) => ({ request_id: 'req_1', job_id: 'job_1', job: { id: 'job_1', ...fields } })

describe.concurrent.each(exampleLanguages)('an example in %s', (language) => {
  const createsJob = (BASE_URL: string) =>
    codeExample({ BASE_URL }, { endpoint: liveEndpoint('audio/detect-silence'), language, source: 'url' })
  const createsRun = (BASE_URL: string) =>
    runExample({ BASE_URL }, { language, createPath: '/v1/workflows/remove-dead-space/runs', request: exampleRequest })

  it('repeats what was limited, failed or lost, with one Idempotency-Key, after Retry-After', async () => {
    const answers = [
      { status: 429, retryAfter: 2, body: { error: { code: 'rate_limited', message: 'Wait.' } } },
      {},
      { status: 202, body: job({ status: 'queued' }) },
      { status: 503 },
      { status: 200, body: job({ status: 'completed', result: { found: 7 } }) },
    ]
    const { received, stdout } = await play(answers, createsJob, commands[language])
    expect(stdout).toMatch(/"found": ?7/)
    const posts = Array.from({ length: 3 }, () => 'POST /v1/jobs')
    expect(received.map(({ request }) => request)).toEqual([...posts, `GET ${jobPath}`, `GET ${jobPath}`])
    expect(received[0]?.key).toMatch(/.{10}/)
    expect(new Set(received.slice(0, 3).map(({ key }) => key)).size).toBe(1)
    const [first, second] = received.map(({ atMs }) => atMs)
    expect(Number(second) - Number(first)).toBeGreaterThan(1_900)
  })

  it.each([
    { status: 429, retryAfter: 3600, body: { error: { code: 'rate_limited', message: 'Wait until tomorrow.' } } },
    { status: 402, body: { error: { code: 'billing_required', message: 'Activate billing.' } } },
    { status: 501, body: { error: { code: 'endpoint_unavailable', message: 'It is a preview.' } } },
  ])('ends with the message of a refusal that lasts, such as $status', async (refusal) => {
    const { received, ...ended } = await play([refusal], createsJob, commands[language])
    expect(received).toHaveLength(1)
    expect(ended).toMatchObject({ error: { stderr: expect.stringContaining(refusal.body.error.message) } })
  })

  it('waits for a run, not for its first step', async () => {
    const answer = (status: string, fields: object = {}) => {
      const steps = [{ endpoint: 'audio/detect-silence', job_id: 'job_1', job: { id: 'job_1', status: 'completed' } }]
      return { request_id: 'req_1', run: { id: 'run_1', workflow_id: 'remove-dead-space', status, steps, ...fields } }
    }
    const plan = { media_seconds: 1, steps: [], max_price_usd: 1, warnings: [] }
    const answers = [
      { status: 202, body: { plan, ...answer('queued') } },
      { status: 200, body: answer('running') },
      { status: 200, body: answer('completed', { result: { found: 7 } }) },
    ]
    const { received, stdout } = await play(answers, createsRun, commands[language])
    expect(stdout).toMatch(/"found": ?7/)
    const poll = 'GET /v1/workflow-runs/run_1?wait=20'
    expect(received.map(({ request }) => request)).toEqual(['POST /v1/workflows/remove-dead-space/runs', poll, poll])
  })
})
