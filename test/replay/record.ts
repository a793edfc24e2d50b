import { isDeepStrictEqual } from 'node:util'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { z } from 'zod'
import { makeSearchAttributes, untilReady } from '../../src/temporal/setup-temporal.ts'
import { sceneOf, workflowPaths } from '../workflows/paths.ts'
import { openStage } from '../workflows/stage.ts'
import { commandsOf } from './commands.ts'
import { latestHistory, listHistories, readHistory, writeHistory } from './histories.ts'
import { type StoredEvent, storedEvents } from './stored-history.ts'

// `npm run histories -- record` runs this on a Temporal dev server: node record.ts RELEASE [--replace] [PATH …]

const [release = '', ...options] = process.argv.slice(2)
const replaces = options.includes('--replace')
const names = options.filter((option) => option !== '--replace')
const paths = workflowPaths.filter(({ name }) => names.length === 0 || names.includes(name))
const unknown = names.find((each) => !workflowPaths.some(({ name }) => name === each))
if (unknown !== undefined) throw new Error(`${unknown} is not a path of test/workflows/paths.ts`)
const { TEMPORAL_ADDRESS: address } = z.object({ TEMPORAL_ADDRESS: z.string() }).parse(process.env)

Runtime.install({ logger: new DefaultLogger('ERROR') })
const environment = await TestWorkflowEnvironment.createFromExistingServer({ address })
const stage = await openStage(environment)
await untilReady(() => makeSearchAttributes(environment.connection, 'default'))
try {
  const kept = await Promise.all(
    paths.map(async (path) => keep(path.name, storedEvents((await stage.play(sceneOf(path))).history))),
  )
  if (kept.includes(false)) process.exitCode = 1
} finally {
  await stage.close()
  await environment.teardown()
}

/** Writes the history if it differs from the latest one. False if that would overwrite the history of a release. */
function keep(pathName: string, events: readonly StoredEvent[]): boolean {
  const latest = latestHistory(pathName)
  if (latest !== undefined && isDeepStrictEqual(commandsOf(readHistory(latest)), commandsOf(events))) return true
  const name = `${release}/${pathName}`
  if (listHistories().includes(name) && !replaces) {
    console.log(`${name} differs. Did ${release} ever run? Then raise the version in package.json; else add --replace`)
    return false
  }
  writeHistory(name, events)
  console.log(`wrote ${name}`)
  return true
}
