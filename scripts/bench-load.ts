import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { type InFlight, measureInFlight } from '../bench/in-flight.ts'
import { silencedetectOptions } from '../bench/latency.ts'
import { describeLoad } from '../bench/load-results.ts'
import { describeMachine } from '../bench/machine.ts'
import { cpuSecondsOf } from '../bench/processes.ts'
import { measureQueueLoad, type QueueLoad } from '../bench/queue-load.ts'
import { writePart } from '../bench/results-page.ts'
import { prepareSounds } from '../bench/sounds.ts'
import { openStatementCounter } from '../bench/statement-counter.ts'
import { createKey } from '../src/accounts/keys.ts'
import { createAccount } from '../src/accounts/own-account.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import { type Client, createClient } from './client.ts'
import type { Context } from './main.ts'
import { startDataDirPostgres, withStack } from './stack/stack.ts'
import { withSupervisor } from './stack/supervised.ts'

const inFlight = 50
const jobsInFlight = 150
const bareRounds = 10

/** `npm run bench -- load`: the service under load, with its database behind a counter of statements. */
export async function benchLoad(context: Context): Promise<number> {
  const { dataDir, env, root, say } = context
  const { ffmpegPath } = await context.findTools()
  const { speech, second } = prepareSounds(ffmpegPath, root, dataDir)
  return withSupervisor(dataDir, say, async (supervisor) => {
    const { url } = await startDataDirPostgres(context, supervisor)
    const statements = await openStatementCounter(url)
    const db = openDatabase(url)
    try {
      const measured: { kept?: InFlight; cold?: InFlight; queue?: QueueLoad } = {}
      await withStack({ ...context, env: { ...env, DATABASE_URL: statements.url } }, async ({ apiUrl }) => {
        const client = await newClient(db, apiUrl)
        const endpoint = 'audio/detect-silence'
        const run = (requests: readonly Record<string, unknown>[]): Promise<InFlight> =>
          measureInFlight({ client, statements, inFlight, requests })

        const media_url = await client.upload(speech)
        await client.ended((await client.create({ endpoint, media_url })).id)
        const settings = (turn: number) => ({ threshold: -20 - (turn % 120) / 2 })
        measured.kept = await run(
          Array.from({ length: jobsInFlight }, (_, turn) => ({ endpoint, media_url, settings: settings(turn) })),
        )
        const uploads: string[] = []
        while (uploads.length < jobsInFlight) uploads.push(await client.upload(second))
        measured.cold = await run(uploads.map((each) => ({ endpoint, media_url: each })))
        return 0
      })
      // Without the counter, which takes time from each statement.
      await withStack({ ...context, env: { ...env, DATABASE_URL: url } }, async ({ apiUrl }) => {
        const newClients = (count: number) => Promise.all(Array.from({ length: count }, () => newClient(db, apiUrl)))
        measured.queue = await measureQueueLoad({
          ...{ clients: await newClients(20), visitors: await newClients(5) },
          ...{ file: speech, jobs: 2_000, waiters: 500 },
          countOpenJobs: () => db.job.count({ where: { endedAt: null } }),
        })
        return 0
      })
      const { kept, cold, queue } = measured
      if (!kept || !cold || !queue) return 1
      const bareCpuMs = measureBareCpu(ffmpegPath, speech)
      const text = describeLoad({ queue, kept, cold, inFlight, bareCpuMs, machine: describeMachine(ffmpegPath) })
      writePart(path.join(root, 'bench', 'RESULTS.md'), 'load', text)
      console.log(text)
      return 0
    } finally {
      await db.$disconnect()
      statements.close()
    }
  })
}

async function newClient(db: Database, apiUrl: string): Promise<Client> {
  const { token } = await createKey(db, { accountId: await createAccount(db, 'load'), name: 'load' })
  return createClient(apiUrl, token)
}

function measureBareCpu(ffmpegPath: string, file: string): number {
  const before = cpuSecondsOf('self')
  for (let round = 0; round < bareRounds; round++) {
    spawnSync(ffmpegPath, silencedetectOptions(file))
  }
  return ((cpuSecondsOf('self') - before) * 1000) / bareRounds
}
