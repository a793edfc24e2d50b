import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createClient, jobResponse, presignResponse } from '../../scripts/client.ts'
import { isErrorCode } from '../../src/core/errors.ts'
import type { Canary, MediaHost } from '../hostile/media-host.ts'
import { mutate } from '../hostile/mutate.ts'
import type { FuzzCase, MediaCase, RequestCase, SignedUrlCase } from './cases.ts'
import { wellFormed } from './request-cases.ts'
import type { FuzzAccount } from './run-lanes.ts'

/** What every case of a run uses. */
export interface FuzzWorld {
  readonly baseUrl: string
  readonly media: ReadonlyMap<string, Buffer>
  readonly canary: Canary
  readonly host: MediaHost
}

/** Longer than the longest deadline of such small media with its retries. A job that is open after that is stuck. */
export const stuckSeconds = 300

/** Runs the case and reports what breaks an invariant. `bytes` replaces the mutated file, for a replay. */
export async function runCase(
  world: FuzzWorld,
  account: FuzzAccount,
  one: FuzzCase,
  log: CaseLog,
  bytes = bytesOf(world, one),
): Promise<void> {
  if (one.kind === 'media') return runMediaCase(world, account, one, log, bytes ?? Buffer.alloc(0))
  if (one.kind === 'signed url') return runSignedUrlCase(world, account, one, log)
  await runRequestCase(world, account, one, log)
}

/** The mutated file of a media case. */
export function bytesOf({ media }: FuzzWorld, one: FuzzCase): Buffer | undefined {
  return one.kind === 'media' ? mutate(media.get(one.base) ?? Buffer.alloc(0), one.mutations) : undefined
}

async function runMediaCase(
  { baseUrl, host }: FuzzWorld,
  { token }: FuzzAccount,
  { base, door, manner, job, isCanceled }: MediaCase,
  log: CaseLog,
  bytes: Buffer,
): Promise<void> {
  const post = (path: string, body: unknown) =>
    exchange(
      {
        method: 'POST',
        url: `${baseUrl}${path}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      log,
    )
  const offer = door === 'upload' ? undefined : host.offer(base, bytes, manner)
  try {
    const mediaUrl = offer ? offer.url : await upload()
    if (mediaUrl === undefined) return
    if (door === 'estimate') return void (await post('/v1/estimate', { ...job, media_url: mediaUrl }))
    const created = await post('/v1/jobs', { ...job, media_url: mediaUrl })
    if (!created || created.status >= 300) return
    const { id } = jobResponse.parse(JSON.parse(created.text)).job
    if (isCanceled) await post(`/v1/jobs/${id}/cancel`, {})
    await untilEnded(id)
  } finally {
    offer?.forget()
  }

  async function upload(): Promise<string | undefined> {
    const presigned = await post('/v1/uploads/presign', { filename: base, bytes: bytes.length })
    if (presigned?.status !== 200) return undefined
    const { upload: given } = presignResponse.parse(JSON.parse(presigned.text))
    const put = await exchange(
      { method: 'PUT', url: given.upload_url, headers: given.upload_headers, body: bytes },
      log,
    )
    return put?.status === 200 ? given.media_url : undefined
  }

  async function untilEnded(id: string): Promise<void> {
    const url = `${baseUrl}/v1/jobs/${id}?wait=20`
    for (const deadline = Date.now() + stuckSeconds * 1000; Date.now() < deadline; ) {
      const answer = await exchange({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } }, log)
      if (answer?.status !== 200) {
        await sleep(500)
        continue
      }
      const { status, error } = jobResponse.parse(JSON.parse(answer.text)).job
      if (status !== 'completed' && status !== 'failed') continue
      log.count(`job ${error?.code ?? status}`)
      if (error?.code === 'server_error') log.problem(`${id} ended with server_error`)
      return
    }
    log.problem(`${id} did not end in ${stuckSeconds} s`)
  }
}

async function runRequestCase(world: FuzzWorld, account: FuzzAccount, one: RequestCase, log: CaseLog): Promise<void> {
  const fill = fillNames(world, account)
  const headers = Object.fromEntries(Object.entries(one.headers).filter(([, value]) => isHeaderValue(value)))
  await exchange(
    {
      method: one.method,
      url: `${world.baseUrl}${one.path}`,
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json', ...headers },
      body: one.body === undefined ? undefined : fill(one.body),
    },
    log,
  )
}

/** fetch refuses the others itself. */
function isHeaderValue(value: string): boolean {
  return !/[^\t\x20-\x7e]/.test(value)
}

function fillNames({ canary, host }: FuzzWorld, { film, sound, job }: FuzzAccount): (text: string) => string {
  const names: Readonly<Record<string, string>> = {
    film,
    sound,
    job,
    upload: film,
    canary: canary.url,
    'canary file': `file://${canary.file}`,
    'canary number': `http://2130706433:${canary.port}/a.mp4`,
    'canary six': `http://[::ffff:127.0.0.1]:${canary.port}/a.mp4`,
    'canary user': `http://127.0.0.1:${host.port}@127.0.0.1:${canary.port}/a.mp4`,
  }
  return (text) => text.replace(/\{([a-z ]+)\}/g, (whole, name: string) => names[name] ?? whole)
}

/** What a case saw: problems are findings, counts are for the report. */
interface CaseLog {
  problem(text: string): void
  count(what: string): void
}

interface Exchange {
  readonly status: number
  readonly text: string
}

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

const errorEnvelope = z.object({ error: z.object({ code: z.string(), request_id: z.string() }) })
const answerSeconds = 60

/**
 * Sends one request and checks its answer: an error is one of the table, a 5xx only says that the service is busy or the endpoint a
 * preview. Undefined if the connection ended without an answer, which is allowed: a server may refuse a body that it does not read.
 */
async function exchange({ method, url, headers = {}, body }: Sent, log: CaseLog): Promise<Exchange | undefined> {
  const route = `${method} ${new URL(url).pathname.slice(0, 60)}`
  const options = {
    method,
    headers,
    redirect: 'manual' as const,
    signal: AbortSignal.timeout(answerSeconds * 1000),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  }
  const outcome = await request(url, options)
  if ('failure' in outcome) {
    log.count(outcome.failure)
    if (outcome.failure === 'TimeoutError') log.problem(`${route} did not answer in ${answerSeconds} s`)
    return undefined
  }
  const { status, text, retryAfter } = outcome
  log.count(`HTTP ${status}`)
  if (status >= 500 && status !== 501 && !(status === 503 && retryAfter !== null)) {
    log.problem(`${route} answered ${status}: ${text.slice(0, 300)}`)
  }
  if (status >= 400 && method !== 'HEAD' && !isEnvelope(text)) {
    log.problem(`${route} answered ${status} without an error of the table: ${text.slice(0, 300)}`)
  }
  return { status, text }
}

async function request(url: string, options: RequestInit) {
  try {
    const response = await fetch(url, options)
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    return { failure: error instanceof Error ? error.name : 'unknown' }
  }
}

function isEnvelope(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'jsonrpc' in body) return true
    const { success, data } = errorEnvelope.safeParse(body)
    return success && isErrorCode(data.error.code)
  } catch {
    return false
  }
}

/** Sends a signed URL with changes. Success is a finding, unless the URL still says the same. */
async function runSignedUrlCase(
  { baseUrl }: Pick<FuzzWorld, 'baseUrl'>,
  { token, outputUrl }: FuzzAccount,
  { method, edits }: SignedUrlCase,
  log: CaseLog,
): Promise<void> {
  const original = method === 'PUT' ? await presign() : outputUrl
  const changed = edits.reduce(edit, original)
  if (!URL.canParse(changed) || new URL(changed).origin !== new URL(baseUrl).origin) return
  const body = method === 'PUT' ? Buffer.from('x') : undefined
  const answer = await exchange({ method, url: changed, headers: { 'content-type': 'video/mp4' }, body }, log)
  if (answer && answer.status < 300 && meaningOf(changed) !== meaningOf(original)) {
    log.problem(`a changed signed URL was accepted with ${answer.status}: ${original} became ${changed}`)
  }

  async function presign(): Promise<string> {
    const { body: answered } = await createClient(baseUrl, token).send('POST', '/v1/uploads/presign', {
      filename: 'a.mp4',
      bytes: 10,
    })
    return presignResponse.parse(answered).upload.upload_url
  }
}

function edit(url: string, { op, name, value }: SignedUrlCase['edits'][number]): string {
  const given = wellFormed(value)
  if (op === 'character') {
    const at = url.indexOf('/storage/') + ((name.length * 31 + value.length * 17) % 200)
    return url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1)
  }
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  if (op === 'path') parsed.pathname += given
  else if (op === 'delete') parsed.searchParams.delete(name)
  else parsed.searchParams[op](name, given)
  return parsed.href
}

/** What the server reads from a URL: its path, and each parameter whatever their order. */
function meaningOf(url: string): string {
  const { pathname, searchParams } = new URL(url)
  return JSON.stringify([pathname, [...searchParams].map((parameter) => parameter.join()).sort()])
}
