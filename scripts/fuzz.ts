import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createKey } from '../src/accounts/keys.ts'
import { createAccount } from '../src/accounts/own-account.ts'
import { openDatabase } from '../src/db/database.ts'
import { findAftermath, openFilesOfWorker } from './fuzz/aftermath.ts'
import { makeBaseMedia } from './fuzz/base-media.ts'
import { casesOf } from './fuzz/cases.ts'
import { type Finding, type FoundCase, readFinding, storeFinding } from './fuzz/findings.ts'
import { onceReachable } from './fuzz/once-reachable.ts'
import { type LaneOptions, startLanes } from './fuzz/run-lanes.ts'
import { startCanary } from './hostile/canary.ts'
import { startMediaHost } from './hostile/media-host.ts'
import { watchMemory } from './hostile/watch-memory.ts'
import type { Command, Context } from './main.ts'
import { noQuotas } from './stack/no-quotas.ts'
import { freePort } from './stack/ports.ts'
import { withStack } from './stack/stack.ts'
import type { StackAddresses } from './stack/stack-file.ts'

/** Without a client, the routes of OAuth answer 500 as the specification asks. */
const oauthClients = JSON.stringify([
  { client_id: 'fuzzed', client_name: 'Fuzzed', redirect_uris: ['http://127.0.0.1:8765/callback'] },
])

/**
 * `npm run fuzz [-- --seed 1 --minutes 10 | --replay FILE]`: hostile media, requests, signed URLs and tool messages against a
 * stack of its own. Fails if one of them breaks an invariant; each such case is stored in DATA_DIR/fuzz for a replay, with the logs.
 */
export const fuzzCommand: Command = async (context) => {
  const { seed, minutes, replayed } = readArguments(context)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-fuzz-'))
  const store = path.join(context.dataDir, 'fuzz')
  let problems = 0
  let runningCases: () => FoundCase[] = () => []
  const report = (name: string, cases: readonly FoundCase[], texts: readonly string[]) => {
    problems += texts.length
    const file = storeFinding(store, name, { seed, problems: [...texts], cases: [...cases] })
    console.log(`${texts.join('\n')}\n  repeat it: npm run fuzz -- --replay ${file}`)
  }
  const canary = await startCanary(path.join(dataDir, 'outside'))
  const host = await startMediaHost(await freePort(), canary)
  try {
    const env = {
      ...{ ...noQuotas, OAUTH_CLIENTS: oauthClients, LOG_LEVEL: 'warn' },
      MEDIA_ALLOW_HOSTS: `${host.host}:${host.port}`,
      ...context.env,
    }
    return await withStack({ ...context, env, dataDir: path.join(dataDir, 'stack') }, useStack)
  } catch (error) {
    // A process that ends by itself ends the stack.
    report('crash', runningCases(), [error instanceof Error ? error.message : String(error)])
    return 1
  } finally {
    host.close()
    canary.close()
    if (problems > 0)
      cpSync(path.join(dataDir, 'stack', 'logs'), path.join(store, `seed-${seed}-logs`), { recursive: true })
    rmSync(dataDir, { recursive: true, force: true })
  }

  async function useStack({ apiUrl, databaseUrl, temporalAddress }: StackAddresses): Promise<number> {
    const db = openDatabase(databaseUrl)
    const memory = watchMemory((problem) => report(`memory-${problems}`, runningCases(), [problem]))
    const openFilesBefore = openFilesOfWorker()
    const counts = new Map<string, number>()
    const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
    try {
      const media = await makeBaseMedia((await context.findTools()).ffmpegPath, canary)
      const lanes = startLanes({
        world: { baseUrl: apiUrl, media, canary, host },
        newKey: () =>
          onceReachable(
            async () => (await createKey(db, { accountId: await createAccount(db, 'fuzz'), name: 'fuzz' })).token,
          ),
        next: replayed ? casesOfFinding(replayed) : casesUntil(context, seed, Date.now() + minutes * 60_000, count),
        found: (one, texts) => report(`case-${one.number}`, [one], texts),
        count,
      })
      runningCases = lanes.running
      await lanes.ended
      const left = [
        ...(await findAftermath({ db, dataDir: path.join(dataDir, 'stack'), temporalAddress, openFilesBefore })),
        ...canary.takeHits(),
      ]
      if (left.length > 0) report('end', [], left)
      console.log(describe(seed, problems, counts, memory.peaks))
      return problems === 0 ? 0 : 1
    } finally {
      memory.stop()
      await db.$disconnect()
    }
  }
}

function readArguments({ args, usage }: Context): { seed: number; minutes: number; replayed: Finding | undefined } {
  const options = { seed: { type: 'string' }, minutes: { type: 'string' }, replay: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...args], options })
  const replayed = values.replay === undefined ? undefined : readFinding(values.replay)
  const seed = replayed?.seed ?? Number(values.seed ?? 1)
  const minutes = Number(values.minutes ?? 10)
  if (!(Number.isSafeInteger(seed) && minutes > 0)) {
    throw new Error(usage)
  }
  return { seed, minutes, replayed }
}

function casesUntil(
  { root, say }: Context,
  seed: number,
  end: number,
  count: (what: string) => void,
): LaneOptions['next'] {
  const caseOf = casesOf(root, seed)
  let number = 0
  return () => {
    if (Date.now() > end) return undefined
    number += 1
    if (number % 500 === 0) say(`${number} cases`)
    const one = caseOf(number)
    count(`cases: ${one.kind}`)
    return { number, case: one }
  }
}

function casesOfFinding({ cases }: Finding): LaneOptions['next'] {
  const left = cases.map(({ number, case: one, base64 }) => ({
    number,
    case: one,
    bytes: base64 === undefined ? undefined : Buffer.from(base64, 'base64'),
  }))
  return () => left.shift()
}

function describe(
  seed: number,
  problems: number,
  counts: ReadonlyMap<string, number>,
  peaks: ReadonlyMap<string, number>,
): string {
  const counted = [...counts].sort(byName).map(([what, times]) => `  ${what}: ${times}`)
  const memory = [...peaks].sort(byName).map(([name, mebibytes]) => `  ${name}: ${Math.round(mebibytes)} MiB at most`)
  return [`Seed ${seed}: ${problems} problems`, ...counted, ...memory].join('\n')
}

function byName([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1
}
