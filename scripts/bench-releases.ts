import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { describeMachine } from '../bench/machine.ts'
import { describeReleases, measureReleases, type ReleaseStack } from '../bench/releases.ts'
import { writePart } from '../bench/results-page.ts'
import { prepareSounds } from '../bench/sounds.ts'
import { createClient } from './client.ts'
import type { Context } from './main.ts'
import { answers } from './stack/http.ts'
import { freePort } from './stack/ports.ts'
import type { Supervisor } from './stack/processes.ts'
import { withSupervisor } from './stack/supervised.ts'

const npmPackage = z.looseObject({ version: z.string() })
const stackFile = z.looseObject({ databaseUrl: z.string() })

/** `npm run bench -- releases`: the stacks of this checkout and of another release's, in turns. */
export async function benchReleases(context: Context): Promise<number> {
  const { dataDir, env, root, say } = context
  const checkout = env['OTHER_CHECKOUT']
  if (!checkout)
    throw new Error(
      'Set OTHER_CHECKOUT to the folder of a checkout of another release, with its packages installed (npm ci).',
    )
  const { ffmpegPath } = await context.findTools()
  const { speech, second } = prepareSounds(ffmpegPath, root, dataDir)
  return withSupervisor(dataDir, say, async (supervisor) => {
    say('starting both')
    const other = await startCheckout(supervisor, context, path.resolve(root, checkout))
    const own = await startCheckout(supervisor, context, root)
    const results = await measureReleases({ other, own, speech, second, say })
    const text = describeReleases({ ...results, machine: describeMachine(ffmpegPath) })
    writePart(path.join(root, 'bench', 'RESULTS.md'), 'releases', text)
    console.log(text)
    return 0
  })
}

/** Each stack has services of its own: the caller's would be shared by both releases, and changed by `letAllSpend`. */
const ownServices = {
  DATABASE_URL: undefined,
  DATABASE_DIRECT_URL: undefined,
  TEMPORAL_ADDRESS: undefined,
  STORAGE: undefined,
}

/** Starts the stack of a checkout as its users do. What it prints is in a log of its own. */
async function startCheckout(
  supervisor: Supervisor,
  { env, dataDir }: Context,
  checkout: string,
): Promise<ReleaseStack> {
  const { version } = npmPackage.parse(JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')))
  const port = await freePort()
  const stackDir = path.join(dataDir, `stack-${port}`)
  mkdirSync(stackDir)
  const stackEnv = {
    ...env,
    ...ownServices,
    ...{
      DATA_DIR: stackDir,
      TOOLS_DIR: path.join(checkout, '.tools'),
      PORT: `${port}`,
      PG_PORT: `${await freePort()}`,
    },
    ...{ TEMPORAL_PORT: `${await freePort()}`, TEMPORAL_UI_PORT: `${await freePort()}` },
  }
  const command = [process.execPath, path.join('scripts', 'run.mjs')] as const
  const running = supervisor.start({
    name: `start-${port}`,
    command: [...command, 'start'],
    env: stackEnv,
    cwd: checkout,
    stopSignal: 'SIGINT',
    stopSeconds: 60,
  })
  const url = `http://127.0.0.1:${port}`
  // Its first start downloads its tools.
  await supervisor.untilReady(running, () => answers(`${url}/ready`), { seconds: 600 })
  const key = execFileSync(command[0], [command[1], 'key'], { env: stackEnv, cwd: checkout, encoding: 'utf8' }).trim()
  const { databaseUrl } = stackFile.parse(JSON.parse(readFileSync(path.join(stackDir, 'stack.json'), 'utf8')))
  await letAllSpend(databaseUrl)
  return { version, client: createClient(url, key) }
}

/** Of every account, in a database that the bench made, and in SQL that both releases understand. */
async function letAllSpend(databaseUrl: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    await database.query(`UPDATE accounts SET billing_status = 'active', monthly_cap_micro_usd = 100000000`)
  } finally {
    await database.end()
  }
}
