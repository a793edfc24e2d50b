import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleProcesses, serviceOf } from '../bench/processes.ts'
import { runOneJob } from '../bench/soak-jobs.ts'
import { describeSoak, type SoakSample } from '../bench/soak-results.ts'
import { createKey } from '../src/accounts/keys.ts'
import { createAccount } from '../src/accounts/own-account.ts'
import { checkLedger } from '../src/billing/check-ledger.ts'
import { runAllOrAbort, runBothOrAbort } from '../src/core/abortable.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import { createClient } from './client.ts'
import type { Command } from './main.ts'
import { noQuotas } from './stack/no-quotas.ts'
import { withStack } from './stack/stack.ts'

const inFlight = 12
const jobsPerAccount = 150
const sampleSeconds = 10

/** `npm run soak [-- MINUTES]`: full load with temporary data. Measures memory and handles, checks the ledger, writes bench/SOAK.md. */
export const soakCommand: Command = async (context) => {
  const [given = 15, ...more] = context.args
  const minutes = Number(given)
  if (!(minutes > 0) || more.length > 0) throw new Error(context.usage)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-soak-'))
  const limits = { ...noQuotas, LOG_LEVEL: 'warn' }
  try {
    return await withStack({ ...context, env: { ...limits, ...context.env }, dataDir }, async (stack) => {
      const db = openDatabase(stack.databaseUrl)
      try {
        const until = Date.now() + minutes * 60_000
        const fixtures = path.join(context.root, 'test', 'fixtures')
        const keepAllBusy = (signal: AbortSignal) => {
          const load = { db, apiUrl: stack.apiUrl, fixtures, until }
          return runAllOrAbort(
            signal,
            Array.from({ length: inFlight }, () => (either: AbortSignal) => keepBusy(load, either)),
          )
        }
        const [samples, ended] = await runBothOrAbort(
          new AbortController().signal,
          (signal) => takeSamples(until, signal),
          keepAllBusy,
        )
        const findings = await checkLedger(db)
        const results = describeSoak({ minutes, inFlight, samples, ended: ended.flat(), findings })
        writeFileSync(path.join(context.root, 'bench', 'SOAK.md'), results)
        console.log(results)
        return findings.length === 0 ? 0 : 1
      } finally {
        await db.$disconnect()
      }
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Load {
  readonly db: Database
  readonly apiUrl: string
  readonly fixtures: string
  readonly until: number
}

/** Runs one job after the other, and changes the account before its free credits are used. */
async function keepBusy({ db, apiUrl, fixtures, until }: Load, signal: AbortSignal): Promise<string[]> {
  const ended: string[] = []
  const isOver = () => signal.aborted || Date.now() >= until
  while (!isOver()) {
    const { token } = await createKey(db, { accountId: await createAccount(db, 'soak'), name: 'soak' })
    const client = createClient(apiUrl, token)
    const [speech, film] = [
      await client.upload(path.join(fixtures, 'speech.wav')),
      await client.upload(path.join(fixtures, 'film.mp4')),
    ]
    for (let turn = 0; turn < jobsPerAccount && !isOver(); turn++) {
      ended.push(await runOneJob(client, { speech, film }, turn))
    }
  }
  return ended
}

async function takeSamples(until: number, signal: AbortSignal): Promise<SoakSample[]> {
  const samples: SoakSample[] = []
  const started = Date.now()
  while (Date.now() < until) {
    await sleep(sampleSeconds * 1000, undefined, { signal })
    samples.push({ seconds: (Date.now() - started) / 1000, processes: sampleProcesses(serviceOf) })
  }
  return samples
}
