import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '../scripts/main.ts'
import { noQuotas } from '../scripts/stack/no-quotas.ts'
import { newId } from '../src/core/ids.ts'
import { describeFigures, type Figure, percentile, report } from './figures.ts'
import { withFolder, withLabStack } from './lab-stack.ts'
import { openSession, signUp } from './people.ts'
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
      const service = { baseUrl: apiUrl, dataDir: stack.folder }
      const owners: Awaited<ReturnType<typeof openSession>>[] = []
      while (owners.length < accounts) {
        // Each from a network of its own.
        const address = `20.${owners.length}.1.1`
        owners.push(await openSession(service, await signUp(service, address), address))
      }
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
        await db.event.createMany({
          data: owners.map(({ accountId }) => {
            const id = newId('evt')
            const payload = JSON.stringify({ type: 'webhook.test', data: { id, object: 'test' } })
            return { id, accountId, type: 'webhook.test', subjectId: id, payload }
          }),
        })
        const written = performance.now()
        const arrivals = await Promise.all(streams.map((stream) => stream.nextEvent()))
        const times = arrivals.map((at) => at - written)
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
