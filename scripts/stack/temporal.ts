import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { searchAttributes } from '../../src/temporal/names.ts'
import { answers } from './http.ts'
import type { Supervisor } from './processes.ts'

export interface TemporalOptions {
  readonly temporalPath: string
  readonly port: number
  readonly uiPort: number
  /** The folder of the server's database. Default: in memory. */
  readonly dataDir?: string
  /** Added to the settings below, as `key=JSON`. */
  readonly moreSettings?: readonly string[]
}

export const dynamicConfig = [
  // With the default of 20 polls a second, an idle server delays every workflow task by 50 ms.
  'history.transferProcessorMaxPollRPS=300',
  'history.timerProcessorMaxPollRPS=300',
  // One account's thousand jobs must not delay another account's job.
  'matching.enableFairness=true',
  // Fairness orders the tasks of a partition, and a poll reads one of them at random.
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
]

/** Otherwise, the dev server reads its database some ten times a job for the names of the search attributes. */
const cachedAttributes = 'system.forceSearchAttributesCacheRefreshOnRead=false'

/** Starts the Temporal dev server, which is ready when this resolves. */
export async function startTemporal(
  supervisor: Supervisor,
  options: TemporalOptions,
): Promise<{ address: string; uiUrl: string }> {
  const running = supervisor.start({
    name: 'temporal',
    command: [options.temporalPath, ...temporalArgs(options)],
    env: serverEnvironment(process.env),
    layer: 1,
    stopSeconds: 15,
  })
  const uiUrl = `http://127.0.0.1:${options.uiPort}`
  await supervisor.untilReady(running, () => answers(`${uiUrl}/api/v1/namespaces/default/workflows?pageSize=1`))
  return { address: `127.0.0.1:${options.port}`, uiUrl }
}

function temporalArgs({ port, uiPort, dataDir, moreSettings = [] }: TemporalOptions): string[] {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', `${port}`, '--ui-port', `${uiPort}`]
  args.push('--ui-disable-news-fetch', '--log-level', 'warn')
  for (const setting of [...dynamicConfig, cachedAttributes, ...moreSettings])
    args.push('--dynamic-config-value', setting)
  for (const { name } of searchAttributes) args.push('--search-attribute', `${name}=Keyword`)
  if (dataDir !== undefined) {
    mkdirSync(dataDir, { recursive: true })
    args.push('--db-filename', path.join(dataDir, 'temporal.db'))
    // Six times the throughput of the default pragmas, and a crash of the process still loses no data.
    args.push('--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal')
  }
  return args
}

function serverEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // For a user without a name, which containers have, the server starts only if these two are set.
  const who = { USER: env['USER'] || 'temporal', HOME: env['HOME'] || tmpdir() }
  // The settings of the user's Temporal CLI must not affect this server.
  return { ...env, ...who, TEMPORAL_ADDRESS: undefined, TEMPORAL_NAMESPACE: undefined, TEMPORAL_API_KEY: undefined }
}
