import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../scripts/stack/ports.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { assertSigningSecret } from '../../src/accounts/signing-check.ts'
import { openDatabase } from '../../src/db/database.ts'
import { createTestDatabase } from '../setup/database.ts'
import { serviceCommand } from '../setup/service-command.ts'
import { temporalAddress } from '../setup/temporal.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let directory: string
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'media timeline server '))
})
afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

function start(variables: Record<string, string>): ChildProcess {
  const [node, ...args] = serviceCommand('api/server.ts')
  const child = spawn(node, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function startReady(variables: Record<string, string> = {}) {
  const port = String(await freePort())
  const child = start({
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporalAddress,
    DATA_DIR: directory,
    PORT: port,
    ...variables,
  })
  const log = child.stdout ? text(child.stdout) : Promise.resolve('')
  const [message] = await once(child, 'message')
  expect(message).toEqual({ type: 'ready' })
  return { child, log, baseUrl: `http://127.0.0.1:${port}` }
}

describe('api/server.ts', () => {
  it('exits with 1 and a readable line for each problem of its configuration', async () => {
    const child = start({ PORT: 'many', SIGNING_SECRET: 'short' })
    const [said, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')])
    expect(code).toBe(1)
    expect(said.trim().split('\n')).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^DATABASE_URL: /),
      expect.stringMatching(/^SIGNING_SECRET: /),
    ])
  })

  it('on SIGTERM before it listens exits with 0', async () => {
    // A server that never answers, so that the API still waits for Temporal.
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = z.object({ port: z.number() }).parse(silent.address())
    const child = start({
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      DATA_DIR: directory,
      PORT: '0',
    })
    const errors = child.stderr ? text(child.stderr) : ''
    await once(silent, 'connection')
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(await errors).toBe('')
  })

  it('says at its start, and when it checks its health, that the namespace is missing, and what makes it', async () => {
    const { child, log, baseUrl } = await startReady({ TEMPORAL_NAMESPACE: 'nowhere' })
    await fetch(`${baseUrl}/health`)
    child.kill('SIGTERM')
    const missing = `TEMPORAL_NAMESPACE: Temporal at ${temporalAddress} has no namespace nowhere: run setup (npm run setup:temporal) first`
    const lines = (await log).split('\n')
    expect(lines.filter((line) => line.includes(`"msg":"${missing}; jobs wait until then"`))).toHaveLength(1)
    expect(lines.find((line) => line.includes('"msg":"not healthy"'))).toContain(missing)
  })

  it('records the secret that it signs with, so that commands refuse another one', async () => {
    const db = openDatabase(database.url)
    onTestFinished(() => db.$disconnect())
    const newSecret = (id: string) => ({ SIGNING_KEY_ID: id, SIGNING_SECRET: randomBytes(32).toString('hex') })
    const [first, second] = [newSecret('1'), newSecret('2')]
    for (const [current, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { child } = await startReady(current)
      await expect(assertSigningSecret(db, current)).resolves.toBeUndefined()
      await expect(assertSigningSecret(db, other)).rejects.toThrow('SIGNING_SECRET: ')
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s ends waits with the job as it is, then leaves with 0',
    async (signal) => {
      const { child, log, baseUrl } = await startReady()
      const db = openDatabase(database.url)
      onTestFinished(() => db.$disconnect())
      const { token } = await createKey(db, { accountId: 'acct_development', name: 'test' })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ endpoint: 'audio/detect-silence', media_url: 'https://media.example/a.mp4' })
      const before = await db.job.count({ where: { endedAt: null } })
      const held = fetch(`${baseUrl}/v1/audio/detect-silence`, { method: 'POST', headers, body })
      await expect.poll(() => db.job.count({ where: { endedAt: null } })).toBe(before + 1)

      const start = performance.now()
      child.kill(signal)
      const [answer, [code]] = await Promise.all([held, once(child, 'exit')])
      expect([answer.status, code]).toEqual([202, 0])
      expect(performance.now() - start).toBeLessThan(10_000)
      expect(await log).toContain('"msg":"api stopped"')
      expect(await log).not.toContain(token)
    },
  )
})
