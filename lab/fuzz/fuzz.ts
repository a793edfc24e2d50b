import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client, Connection } from '@temporalio/client'
import { z } from 'zod'
import type { Command, Context } from '../../scripts/main.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { isUnreachable } from '../../src/db/database.ts'
import { keptPieces } from '../../src/jobs/analysis-rows.ts'
import { startCanary, startMediaHost } from '../hostile/media-host.ts'
import { Interrupted, type LabStack, withFolder, withLabStack } from '../lab-stack.ts'
import { openFilesOfWorkers, processesOf, watchMemory } from '../processes.ts'
import { makeBaseMedia } from './base-media.ts'
import { casesOf, fuzzCase } from './cases.ts'
import { stuckSeconds } from './run-case.ts'
import { type NextCase, startLanes } from './run-lanes.ts'

/** Without a client, the routes of OAuth answer 500 as the specification asks. */
const oauthClients = JSON.stringify([
  { client_id: 'fuzzed', client_name: 'Fuzzed', redirect_uris: ['http://127.0.0.1:8765/callback'] },
])

/**
 * `npm run lab -- fuzz [--seed 1] [--minutes 10] | --replay FILE`: hostile media, requests, signed URLs and tool messages against a
 * stack of its own. Fails if one of them breaks an invariant; each such case is stored in DATA_DIR/fuzz for a replay, with the logs.
 */
export const fuzzCommand: Command = (context) =>
  withFolder(async (folder) => {
    const { seed, nextCase } = readArguments(context)
    const counts = new Map<string, number>()
    const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
    const [store, dataDir] = [path.join(context.dataDir, 'fuzz'), path.join(folder, 'stack')]
    let problems = 0
    let runningCases: () => FoundCase[] = () => []
    const report = (name: string, cases: readonly FoundCase[], texts: readonly string[]) => {
      problems += texts.length
      const file = storeFinding(store, name, { seed, problems: [...texts], cases: [...cases] })
      console.log(`${texts.join('\n')}\n  repeat it: npm run lab -- fuzz --replay ${file}`)
    }
    const canary = await startCanary(path.join(folder, 'outside'))
    const host = await startMediaHost(await freePort(), canary)
    const memory = watchMemory((problem) => report(`memory-${problems}`, runningCases(), [problem]))
    const env = { ...noQuotas, OAUTH_CLIENTS: oauthClients, MEDIA_ALLOW_HOSTS: `${host.host}:${host.port}` }
    try {
      await withLabStack(context, { folder: dataDir, env }, async (stack) => {
        const openFilesBefore = openFilesOfWorkers()
        const newKey = async () =>
          (await createKey(stack.db, { accountId: await createAccount(stack.db, 'fuzz'), name: 'fuzz' })).token
        const media = await makeBaseMedia((await context.findTools()).ffmpegPath, canary)
        const lanes = startLanes({
          world: { baseUrl: stack.apiUrl, media, canary, host },
          newKey: () => onceReachable(newKey),
          next: () => {
            const one = nextCase()
            if (one) count(`cases: ${one.case.kind}`)
            return one
          },
          found: (one, texts) => report(`case-${one.number}`, [one], texts),
          count,
        })
        runningCases = lanes.running
        await lanes.ended
        const left = [...(await findAftermath(stack, dataDir, openFilesBefore)), ...canary.takeHits()]
        if (left.length > 0) report('end', [], left)
      })
    } catch (error) {
      if (error instanceof Interrupted) throw error
      // A process that ends by itself ends the stack.
      report('crash', runningCases(), [error instanceof Error ? error.message : String(error)])
    } finally {
      memory.stop()
      host.close()
      canary.close()
      if (problems > 0) cpSync(path.join(dataDir, 'logs'), path.join(store, `seed-${seed}-logs`), { recursive: true })
    }
    const peaks = (['api', 'worker', 'ffmpeg', 'ffprobe'] as const).map((each) => `${each} ${memory.peak(each)} MiB`)
    const counted = [...counts].map(([what, times]) => `  ${what}: ${times}`).toSorted()
    console.log([`Seed ${seed}: ${problems} problems`, ...counted, `  at most: ${peaks.join(', ')}`].join('\n'))
    return problems === 0 ? 0 : 1
  })

/** What the arguments choose: the cases of a seed until the time is over, or those of a finding. */
function readArguments({ root, args, usage, say }: Context) {
  const options = { seed: { type: 'string' }, minutes: { type: 'string' }, replay: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...args], options })
  const replayed = values.replay === undefined ? undefined : readFinding(values.replay)
  const seed = replayed?.seed ?? Number(values.seed ?? 1)
  const minutes = Number(values.minutes ?? 10)
  if (!(Number.isSafeInteger(seed) && minutes > 0)) throw new Error(usage)
  const left = replayed?.cases.map(({ base64, ...one }): NextCase => {
    return base64 === undefined ? one : { ...one, bytes: Buffer.from(base64, 'base64') }
  })
  const caseOf = casesOf(root, seed)
  let number = 0
  let end: number | undefined
  const nextOfSeed = (): NextCase | undefined => {
    end ??= Date.now() + minutes * 60_000
    if (Date.now() > end) return undefined
    number += 1
    if (number % 500 === 0) say(`${number} cases`)
    return { number, case: caseOf(number) }
  }
  return { seed, nextCase: left ? () => left.shift() : nextOfSeed }
}

/** What a run found, with all that repeats it. */
const finding = z.object({
  seed: z.int(),
  problems: z.array(z.string()),
  /** The case, or all that ran when something happened to a process. */
  cases: z.array(z.object({ number: z.int(), case: fuzzCase, base64: z.string().optional() })),
})

export type Finding = Readonly<z.output<typeof finding>>
export type FoundCase = Finding['cases'][number]

/** Writes the finding into the folder and returns the file's path. */
export function storeFinding(folder: string, name: string, found: Finding): string {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `seed-${found.seed}-${name}.json`)
  writeFileSync(file, `${JSON.stringify(found, null, 1)}\n`)
  return file
}

export function readFinding(file: string): Finding {
  return finding.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Connections that a worker opens when it is first used, and keeps. */
const openFilesSlack = 40

/** Waits until nothing is open any more. Returns what still is when a job counts as stuck, and what the ledger breaks. */
async function findAftermath(stack: LabStack, dataDir: string, openFilesBefore: number): Promise<string[]> {
  const deadline = Date.now() + stuckSeconds * 1000
  const look = () => onceReachable(() => lookForRemains(stack, dataDir, openFilesBefore))
  let left = await look()
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(1000)
    left = await look()
  }
  const ledger = await onceReachable(() => checkLedger(stack.db))
  return [...left, ...ledger.map(({ id, rule }) => `the ledger: ${id} breaks ${rule}`)]
}

async function lookForRemains({ db, temporalAddress }: LabStack, dataDir: string, openFilesBefore: number) {
  const open = { where: { endedAt: null } }
  const [jobs, runs, held, staged, waits, work, temporary, workflows] = await Promise.all([
    db.job.findMany(open),
    db.workflowRun.findMany(open),
    db.account.count({ where: { heldMicroUsd: { gt: 0n } } }),
    db.stagedFolder.count({ where: { NOT: keptPieces } }),
    db.openWait.count(),
    filesIn(path.join(dataDir, 'work')),
    filesIn(path.join(dataDir, 'objects', '.temp')),
    openWorkflows(temporalAddress),
  ])
  const openFiles = openFilesOfWorkers()
  const tools = processesOf('ffmpeg').length + processesOf('ffprobe').length
  const counted = [
    [held, 'accounts still hold money'],
    [staged, 'staged folders'],
    [waits, 'open waits'],
    [tools, 'tools still run'],
    [
      openFiles > openFilesBefore + openFilesSlack ? openFiles : 0,
      `open files of the worker, before ${openFilesBefore}`,
    ],
  ] as const
  return [
    ...jobs.map(({ id, status }) => `${id} is still ${status}`),
    ...runs.map(({ id }) => `${id} is still open`),
    ...counted.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])),
    ...[...work, ...temporary].map((file) => `file ${file}`),
    ...workflows.map((id) => `open workflow ${id}`),
  ]
}

async function openWorkflows(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address })
  try {
    const open: string[] = []
    const query = "WorkflowType in ('mediaJob', 'chain', 'probe') and ExecutionStatus = 'Running'"
    for await (const { workflowId } of new Client({ connection }).workflow.list({ query })) open.push(workflowId)
    return open
  } finally {
    await connection.close()
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

interface Patience {
  readonly attempts?: number
  readonly milliseconds?: number
}

/**
 * Repeats work of the harness on the database while it cannot be reached, for up to two minutes: the cases may overload the machine,
 * and the run is about them. The work can have happened in an attempt that failed.
 */
export async function onceReachable<T>(
  work: () => Promise<T>,
  { attempts = 60, milliseconds = 2000 }: Patience = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || attempt === attempts) throw error
      await sleep(milliseconds)
    }
  }
}
