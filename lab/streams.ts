import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '../scripts/main.ts'
import { noQuotas } from '../scripts/stack/no-quotas.ts'
import { newId, randomText } from '../src/core/ids.ts'
import { describeFigures, type Figure, percentile, report } from './figures.ts'
import { withFolder, withLabStack } from './lab-stack.ts'
import { processesOf } from './processes.ts'

const accounts = 125
const streamsPerAccount = 4
const rounds = 10
/** A stream rests for a second after each read: events in it come together. */
const betweenRoundsMs = 2_500

/** `npm run lab -- streams`: the streams of many pages on one API process, its memory, and how soon an event reaches all. */
export const streamsCommand: Command = async (context) => {
  const text = await withFolder((folder) => {
    const stack = { folder: path.join(folder, 'stack'), env: { ...noQuotas, TRUST_PROXY: '1' } }
    return withLabStack(context, stack, async ({ db, apiUrl }) => {
      context.say(`${accounts} owners`)
      const owners: Owner[] = []
      while (owners.length < accounts) owners.push(await signUp(apiUrl, stack.folder, owners.length))
      const [api = 0] = processesOf('api')
      await sleep(5_000)
      const before = await residentMebibytes(api)
      const left = new AbortController()
      const streams = await Promise.all(
        owners.flatMap(({ cookie }) =>
          Array.from({ length: streamsPerAccount }, () => openStream(apiUrl, cookie, left.signal)),
        ),
      )
      context.say(`${streams.length} streams`)
      await sleep(5_000)
      const opened = await residentMebibytes(api)
      const [first, last]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        const arrivals = streams.map((stream) => stream.nextEvent())
        await db.event.createMany({
          data: owners.map(({ accountId }) => {
            const payload = JSON.stringify({ type: 'webhook.test', data: { id: `round_${round}`, object: 'test' } })
            return { id: newId('evt'), accountId, type: 'webhook.test', subjectId: `round_${round}`, payload }
          }),
        })
        const written = performance.now()
        const times = (await Promise.all(arrivals)).map((at) => at - written)
        first.push(percentile(times, 0.5))
        last.push(Math.max(...times))
        await sleep(betweenRoundsMs)
      }
      const after = await residentMebibytes(api)
      left.abort()
      const figures: Figure[] = [
        { name: `memory of ${streams.length} streams`, value: opened - before, goal: 50, unit: 'MiB' },
        { name: `memory after ${rounds} events to all`, value: after - before, goal: 100, unit: 'MiB' },
        { name: 'event to half of them, median', value: percentile(first, 0.5), goal: 1_000, unit: 'ms' },
        { name: 'event to all of them, median', value: percentile(last, 0.5), goal: 1_500, unit: 'ms' },
        { name: 'event to all of them, worst', value: Math.max(...last), goal: 2_000, unit: 'ms' },
      ]
      return `## Streams\n\n${streams.length} streams of ${accounts} accounts on one API process, which used ${Math.round(before)} MiB before them:\n\n${describeFigures(figures)}\n`
    })
  })
  await report(context, 'streams', text)
  return 0
}

interface Owner {
  readonly cookie: string
  readonly accountId: string
}

/** A new owner with a session, as the pages make one, each from a network of its own. */
async function signUp(apiUrl: string, folder: string, turn: number): Promise<Owner> {
  const person = { email: `${randomText(12).toLowerCase()}@example.com`, password: 'correct horse battery' }
  const post = (name: string, body: object) =>
    fetch(`${apiUrl}/api/auth/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: apiUrl, 'x-forwarded-for': `20.${turn}.1.1` },
      body: JSON.stringify(body),
    })
  await post('sign-up/email', person)
  const token = await tokenInMail(path.join(folder, 'mail'), person.email)
  await post('verify-email', { token, password: person.password })
  const signedIn = await post('sign-in/email', person)
  const body: unknown = await signedIn.json()
  const isOwner = typeof body === 'object' && body !== null && 'account_id' in body
  if (!isOwner) throw new Error(`the sign-in answered ${signedIn.status}`)
  const cookie = signedIn.headers.getSetCookie().find((each) => each.includes('session_token='))
  return { cookie: cookie?.split(';', 1)[0] ?? '', accountId: String(body.account_id) }
}

async function tokenInMail(folder: string, email: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const names = (await readdir(folder).catch(() => [])).toSorted((a, b) => a.localeCompare(b)).slice(-5)
    for (const name of names) {
      const text = await readFile(path.join(folder, name), 'utf8')
      const [url] = text.includes(`To: ${email}`) ? (/https?:\S+verify-email\S+/.exec(text) ?? []) : []
      if (url) return new URL(url).searchParams.get('token') ?? ''
    }
    await sleep(100)
  }
  throw new Error(`no mail to ${email}`)
}

/** A stream that is ready. */
async function openStream(apiUrl: string, cookie: string, signal: AbortSignal) {
  const { body, status } = await fetch(`${apiUrl}/v1/stream`, { headers: { cookie }, signal })
  if (!body || status !== 200) throw new Error(`the stream answered ${status}`)
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (event: string): Promise<number> => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`the stream ended before ${event}`)
      if (value.includes(`event: ${event}\n`)) return performance.now()
    }
  }
  await next('ready')
  return { nextEvent: () => next('event') }
}

async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}
