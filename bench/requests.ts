import autocannon from 'autocannon'
import { authenticate } from '../src/accounts/credentials.ts'
import { openDatabase } from '../src/db/database.ts'
import { percentile } from './percentile.ts'
import { timed } from './timed.ts'

export interface Requests {
  /** Calls per second of `tools/list`, and of `tools/call` for a public tool. */
  readonly listsPerSecond: number
  readonly callsPerSecond: number
  readonly listBytes: number
  readonly inFlight: number
  /** Looking up a key, comparing it with its hash, and counting the request. */
  readonly authenticateMs: number
  /** The extra time of a request with a key. */
  readonly withKeyMs: number
}

export interface RequestsInput {
  readonly apiUrl: string
  readonly databaseUrl: string
  readonly key: string
}

const inFlight = 32
const seconds = 8
const rounds = 400
const unlimited = { quota: { limit: 1_000_000_000, windowSeconds: 60 }, approvedClientIds: [] }

const list = message('tools/list', {})
const call = message('tools/call', {
  name: 'svc.estimate_cost',
  arguments: { endpoint: 'audio/detect-silence', media_seconds: 60 },
})

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** Measures the calls per second of the tool endpoint, and the cost of a key per request. */
export async function measureRequests({ apiUrl, databaseUrl, key }: RequestsInput): Promise<Requests> {
  const url = `${apiUrl}/mcp`
  const listBytes = (await send(url, list)).length
  return {
    ...{ listBytes, inFlight },
    listsPerSecond: await perSecond(url, list),
    callsPerSecond: await perSecond(url, call),
    ...(await measureKey(url, databaseUrl, key)),
  }
}

async function send(url: string, body: string, key?: string): Promise<string> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorization }
  const response = await fetch(url, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.text()
}

/** Runs in its own thread. The first second is a warm-up. */
async function perSecond(url: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const load = { url, method: 'POST' as const, headers, body, connections: inFlight, workers: 1 }
  await autocannon({ ...load, duration: 1 })
  const { requests, non2xx, errors } = await autocannon({ ...load, duration: seconds })
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests were not answered`)
  return requests.average
}

async function measureKey(url: string, databaseUrl: string, key: string) {
  const alone: number[] = []
  const [withKey, without]: [number[], number[]] = [[], []]
  // As the API opens it.
  const db = openDatabase(databaseUrl, { poolSize: 1, keepsStatements: true })
  try {
    for (let round = 0; round < rounds; round++) alone.push(await timed(() => authenticate(db, key, unlimited)))
    for (let round = 0; round < rounds; round++) {
      withKey.push(await timed(() => send(url, call, key)))
      without.push(await timed(() => send(url, call)))
    }
  } finally {
    await db.$disconnect()
  }
  const p50 = (values: readonly number[]) => percentile(values.slice(rounds / 4), 0.5)
  return { authenticateMs: p50(alone), withKeyMs: p50(withKey) - p50(without) }
}
