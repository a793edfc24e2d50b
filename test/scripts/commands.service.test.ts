import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { randomText } from '../../src/core/ids.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { temporalAddress } from '../setup/temporal.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function run(args: readonly string[], variables: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output, errors }
}

it('setup:temporal needs only the variables of Temporal', async () => {
  const namespace = `commands-${randomText(8).toLowerCase()}`
  const variables = { TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace }
  const { code, errors } = await run(['setup:temporal'], variables)
  expect(errors).toContain(`Temporal at ${temporalAddress} is ready, namespace ${namespace}\n`)
  expect(code).toBe(0)
})

it.each([
  [['migrations', 'status'], 'all migrations are applied'],
  [['ledger:check'], 'the ledger is clean: 0 accounts, 0 jobs, 0 entries'],
])('%j goes past the pooler, and names its database without user and password', async (args, answer) => {
  const { code, output } = await run(args, {
    DATABASE_URL: 'postgresql://127.0.0.1:1/pooler',
    DATABASE_DIRECT_URL: database.url,
  })
  const { host, pathname } = new URL(database.url)
  expect([code, output]).toEqual([0, `database: ${host}${pathname}\n${answer}\n`])
})

it.each([
  [['key', '--help'], 'usage: npm run key\n'],
  [['start', '-h'], 'usage: npm start\n'],
  [['lab', 'money', '--help'], 'usage: npm run lab -- money [HISTORIES]\n'],
])('%j prints the usage, and does nothing', async (args, usage) => {
  const { code, output, errors } = await run(args, { DATABASE_URL: 'postgresql://127.0.0.1:1/none' })
  expect([code, output, errors]).toEqual([0, usage, ''])
})

it.each([
  [['key', 'please'], 'usage: npm run key\n'],
  [['demo', '--fast'], 'usage: npm run demo\n'],
  [['lab', 'money', 'long'], 'usage: npm run lab -- money [HISTORIES]\n'],
  [['lab', 'load', 'more'], 'usage: npm run lab -- load\n'],
  [['migrations', 'status', 'now'], 'usage: npm run migrations -- create NAME | deploy | status | drift\n'],
  [['models', 'list', 'all'], 'usage: npm run models -- list | fetch [--shippable] [NAME …] | verify\n'],
  [
    ['lab', 'bench'],
    'usage: npm run lab -- agents | attacks | corpus | faults | finders | fuzz | generators | growth | hour | load | money | outside | streams\n',
  ],
  [
    ['lab', 'hour', 'fast'],
    'fast is not a part: use detection, clip, joined, modes, two-workers\nusage: npm run lab -- hour [PART …]\n',
  ],
])('%j is refused with the usage', async (args, message) => {
  const { code, output, errors } = await run(args, { DATABASE_URL: 'postgresql://127.0.0.1:1/none' })
  expect([code, output, errors.replaceAll(/^set-up: .*\n/gm, '')]).toEqual([1, '', message])
})
