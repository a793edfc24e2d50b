import { setTimeout as sleep } from 'node:timers/promises'
import { jobResponse, presignResponse } from '../client.ts'
import type { Canary } from '../hostile/canary.ts'
import type { MediaHost } from '../hostile/media-host.ts'
import { mutate } from '../hostile/mutate.ts'
import type { FuzzAccount } from './account.ts'
import type { FuzzCase, MediaCase, RequestCase } from './case-types.ts'
import { type CaseLog, exchange } from './exchange.ts'
import { runSignedUrlCase } from './signed-url-case.ts'

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
