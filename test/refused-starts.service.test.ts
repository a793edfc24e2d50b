import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../src/db/database.ts'
import { fakeTool, versionText } from './media/tools/fake-tool.ts'
import { createTestDatabase, type TestDatabase } from './setup/database.ts'
import { serviceCommand } from './setup/service-command.ts'
import { temporalAddress } from './setup/temporal.ts'
import { mediaTools } from './setup/tools.ts'

const api = 'api/server.ts'
const worker = 'activities/worker.ts'
const setup = 'src/commands/setup.ts'
const newAccount = 'src/commands/new-account.ts'
const newKey = 'src/commands/new-key.ts'
const eraseAccount = 'src/commands/erase-account.ts'
const checkLedger = 'src/commands/check-ledger.ts'
const accounts = 'src/commands/accounts.ts'
const upkeep = 'src/commands/upkeep.ts'
const noDatabase = { DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/media' }

let database: TestDatabase
let directory: string
const children: ChildProcess[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'media timeline refused '))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

async function run(
  [script, ...more]: readonly [string, ...string[]],
  variables: Readonly<Record<string, string>> = {},
) {
  const [node, ...args] = serviceCommand(script)
  const child = spawn(node, [...args, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporalAddress,
      DATA_DIR: directory,
      FFMPEG_PATH: mediaTools.ffmpegPath,
      FFPROBE_PATH: mediaTools.ffprobePath,
      ...variables,
    },
  })
  children.push(child)
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output, errors }
}

// Side by side, because Temporal's client waits ten seconds for a server.
it.concurrent.each([
  [api],
  [worker],
  [setup],
  [newAccount, 'Example'],
  [newKey, 'acct_1', 'spare'],
  [checkLedger],
  [accounts, 'find', 'ada@example.com'],
])('%s ends with one line where no database answers', async (...command) => {
  expect(await run(command, noDatabase)).toEqual({
    code: 1,
    output: '',
    errors: 'DATABASE_URL: no database answers at 127.0.0.1:1\n',
  })
})

it.concurrent('a missing database is reported with its variable', async () => {
  const url = new URL(database.url)
  url.pathname = '/nothing'
  const { code, errors } = await run([checkLedger], { DATABASE_URL: url.href })
  expect([code, errors]).toEqual([1, `DATABASE_URL: ${url.host} refuses: database "nothing" does not exist\n`])
})

it.concurrent.each([[worker], [setup], [upkeep, 'resume']])(
  '%s ends with one line if no Temporal answers',
  async (...command) => {
    const { code, errors } = await run([command[0] ?? '', ...command.slice(1)], { TEMPORAL_ADDRESS: '127.0.0.1:1' })
    expect([code, errors]).toEqual([1, 'TEMPORAL_ADDRESS: no Temporal answers at 127.0.0.1:1\n'])
  },
)

it('a worker ends with one line if the namespace is unknown', async () => {
  const { code, errors } = await run([worker], { TEMPORAL_NAMESPACE: 'nowhere' })
  expect([code, errors]).toEqual([
    1,
    `TEMPORAL_NAMESPACE: Temporal at ${temporalAddress} has no namespace nowhere: run setup (npm run setup:temporal) first\n`,
  ])
})

it('a worker ends with one line if the version of ffmpeg is not tested', async () => {
  const FFMPEG_PATH = fakeTool('ffmpeg', versionText('ffmpeg', '5.1.9-0+deb12u1'))
  const { code, output, errors } = await run([worker], { FFMPEG_PATH })
  expect([code, output, errors]).toEqual([
    1,
    '',
    `FFMPEG_PATH: ${FFMPEG_PATH} is 5.1.9-0+deb12u1, which is not tested; set it to ffmpeg 9.0 (docs/production.md says where to get it)\n`,
  ])
})

it('the API ends with one line if its port is taken', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = z.object({ port: z.number() }).parse(server.address())
  expect(await run([api], { PORT: String(port) })).toEqual({ code: 1, output: '', errors: `PORT: ${port} is taken\n` })
})

it.each([[''], ['My', 'Company']])('new-account says how it is used: %j', async (...given) => {
  const { code, errors } = await run([newAccount, ...given])
  expect([code, errors]).toEqual([1, 'usage: new-account.js NAME\n'])
})

it.each([[''], ['acct_1'], ['acct_1', 'spare', 'more'], ['acct_1', 'spare', '5', 'more']])(
  'new-key says how it is used: %j',
  async (...given) => {
    const { code, errors } = await run([newKey, ...given])
    expect([code, errors]).toEqual([1, 'usage: new-key.js ACCOUNT NAME [MONTHLY_CAP_USD]\n'])
  },
)

it.each([[], ['pause'], ['pause', 'a', 'b'], ['resume', 'x'], ['stop']])(
  'upkeep.js says how it is used: %j',
  async (...given) => {
    const { code, errors } = await run([upkeep, ...given])
    expect([code, errors]).toEqual([1, expect.stringMatching(/^usage: upkeep\.js pause REASON/)])
  },
)

it('the ledger check reports what it checked', async () => {
  const { code, output } = await run([checkLedger])
  expect([code, output]).toEqual([0, 'the ledger is clean: 0 accounts, 0 jobs, 0 entries\n'])
})

it.each([[], ['owner@example.com', '--no'], ['a', '--yes', 'b']])(
  'erase-account says how it is used: %j',
  async (...given) => {
    const { code, errors } = await run([eraseAccount, ...given])
    expect([code, errors]).toEqual([1, expect.stringMatching(/^usage: erase-account\.js ACCOUNT\|EMAIL \[--yes\]\n/)])
  },
)

it('new-key creates a key of a known account only', async () => {
  const made = await run([newAccount, 'Example'])
  const accountId = /acct_\w+/.exec(made.errors)?.[0] ?? ''
  expect(await run([newKey, accountId, 'spare'])).toEqual({
    code: 0,
    output: expect.stringMatching(/^mt_live_\w+\n$/),
    errors: '',
  })
  expect((await run([newKey, accountId, 'capped', '2.5'])).code).toBe(0)
  const db = openDatabase(database.url, { poolSize: 1 })
  const rows = await db.apiKey.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } })
  await db.$disconnect()
  expect(rows.map(({ monthlyCapMicroUsd, mayRaiseLimits }) => [monthlyCapMicroUsd, mayRaiseLimits])).toEqual([
    ...[
      [null, true],
      [null, true],
    ],
    [2_500_000n, false],
  ])
  const { code, errors } = await run([newKey, 'acct_unknown', 'spare'])
  expect([code, errors]).toEqual([1, 'no account has the id acct_unknown\n'])
})
