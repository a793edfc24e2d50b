import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../scripts/stack/ports.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { serveMetrics } from '../../src/telemetry/metrics-server.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { serviceCommand } from '../setup/service-command.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { mediaTools } from '../setup/tools.ts'

let database: TestDatabase
let directory: string
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'media timeline off '))
})
afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

async function start(script: string, variables: Record<string, string>) {
  const port = await freePort()
  const preload = path.resolve('test/telemetry/report-modules.cjs')
  const [node, ...args] = serviceCommand(script)
  const child = spawn(node, ['--require', preload, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporalAddress,
      DATA_DIR: directory,
      PORT: String(port),
      FFMPEG_PATH: mediaTools.ffmpegPath,
      FFPROBE_PATH: mediaTools.ffprobePath,
      SHUTDOWN_GRACE_SECONDS: '1',
      ...variables,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect((await once(child, 'message'))[0]).toEqual({ type: 'ready' })
  return { child, port }
}

/** The loaded files that contain OpenTelemetry's SDK. */
async function telemetryModules(child: ChildProcess): Promise<string[]> {
  child.send('modules')
  const { modules } = z.object({ modules: z.array(z.string()) }).parse((await once(child, 'message'))[0])
  const files = modules.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
  expect(files.length).toBeGreaterThan(0)
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const))
  return texts.flatMap(([file, text]) => (text.includes('BatchSpanProcessor') ? [file] : []))
}

/** The TCP ports that a process listens on, from /proc; undefined without /proc. */
async function listeningPorts({ pid = 0 }: ChildProcess): Promise<number[] | undefined> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => undefined)
  if (!descriptors) return undefined
  const links = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/${pid}/net/${table}`, 'utf8')))
  return tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && links.includes(`socket:[${inode}]`))
    .map(([, local = '']) => Number.parseInt(local.split(':').at(-1) ?? '', 16))
}

const scripts = ['api/server.ts', 'activities/worker.ts']

describe.each(scripts)('%s', (script) => {
  it('with both variables blank loads no SDK and opens no port', async () => {
    const { child, port } = await start(script, { METRICS_ADDRESS: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    expect(await telemetryModules(child)).toEqual([])
    expect((await listeningPorts(child)) ?? [port]).toEqual(script.startsWith('api') ? [port] : [])
  })

  it('with both variables set loads the SDK, listens on the address, and exits with 0 although no collector answers', async () => {
    const metricsPort = await freePort()
    const { child, port } = await start(script, {
      METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    })
    expect(await telemetryModules(child)).not.toEqual([])
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200)
    // Leaves a span that cannot be delivered.
    if (script.startsWith('api')) expect((await fetch(`http://127.0.0.1:${port}/v1/catalog`)).status).toBe(200)
    const stopping = performance.now()
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(performance.now() - stopping).toBeLessThan(10_000)
  })
})

it('a taken address is refused with its variable and name', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = z.object({ port: z.number() }).parse(server.address())
  await expect(serveMetrics({ host: '127.0.0.1', port }, createMetrics())).rejects.toThrow(
    `METRICS_ADDRESS: 127.0.0.1:${port} cannot be listened on (EADDRINUSE)`,
  )
})
