import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { resolveChromium } from '../../scripts/setup/chromium.ts'
import { resolveMcpClients } from '../../scripts/setup/mcp-clients.ts'
import { fetchModels } from '../../scripts/setup/models.ts'
import { resolvePythonPackages } from '../../scripts/setup/python-packages.ts'
import { resolveGcsEmulator, resolveTestServer, resolveTools } from '../../scripts/setup/tools.ts'
import { compiledServices } from '../../scripts/stack/compiled-services.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { startPostgres } from '../../scripts/stack/postgres.ts'
import { createSupervisor, type Supervisor } from '../../scripts/stack/processes.ts'
import { startTemporal } from '../../scripts/stack/temporal.ts'
import { migrate } from '../../src/db/migrate.ts'
import { modelNames } from '../../src/models/models.ts'
import { setupTemporal } from '../../src/temporal/setup-temporal.ts'
import { templateDatabase } from './database.ts'
import { declaredMcpClients } from './mcp-clients.ts'

const root = path.join(import.meta.dirname, '..', '..')
const toolsDir = process.env['TOOLS_DIR'] ?? path.join(root, '.tools')

/** The services that tests share. Each start sets the environment variables by which test files find the service. */
const starts = {
  tools: async () => {
    const { ffmpegPath, ffprobePath, temporalPath } = await resolveTools(process.env, toolsDir, console.error)
    set({ FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath, TEMPORAL_PATH: temporalPath })
  },
  models: async () => {
    const modelsDir = path.join(toolsDir, 'models')
    await fetchModels(modelNames, { modelsDir, env: process.env, say: console.error })
    set({ MODELS_DIR: modelsDir })
  },
  postgres: async ({ folder, supervisor }: Shared) => {
    const options = { folder: path.join(folder, 'pg'), port: await freePort(), throwAway: true }
    const { url } = await startPostgres(supervisor, options)
    await createTemplate(url)
    set({ TEST_DATABASE_ADMIN_URL: url })
  },
  temporal: async (shared: Shared, project: TestProject) => {
    await start(shared, project, 'tools')
    const temporalPath = process.env['TEMPORAL_PATH'] ?? ''
    const [port, uiPort] = [await freePort(), await freePort()]
    const { address } = await startTemporal(shared.supervisor, { temporalPath, port, uiPort })
    await setupTemporal({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', TEMPORAL_TLS: false })
    set({ TEST_TEMPORAL_ADDRESS: address })
  },
  testServer: async () => {
    set({ TEMPORAL_TEST_SERVER_PATH: await resolveTestServer(process.env, toolsDir, console.error) })
  },
  build: async () => {
    set({ TEST_SERVICE_BUILD: await compiledServices(root, console.error) })
  },
  gcsEmulator: async () => {
    set({ FAKE_GCS_SERVER_PATH: await resolveGcsEmulator(process.env, toolsDir, console.error) })
  },
  sharedService: async (shared: Shared, project: TestProject) => {
    for (const need of ['postgres', 'temporal', 'build'] as const) await start(shared, project, need)
    // Its modules read the variables that are set only now.
    const { startSharedService } = await import('../e2e/shared-service.ts')
    const { stop, provided } = await startSharedService()
    shared.stops.push(stop)
    shared.provided = provided
  },
  mcpClients: async () => {
    set({ TEST_MCP_CLIENTS: await resolveMcpClients(declaredMcpClients, toolsDir, process.env, console.error) })
  },
  chromium: async () => {
    set({ CHROMIUM_PATH: await resolveChromium(declaredChromium, toolsDir, process.env, console.error) })
  },
  timelineReaders: async () => {
    const declared = { name: 'timeline-readers', requirements: timelineReaders }
    set({ TEST_TIMELINE_READERS: await resolvePythonPackages(declared, toolsDir, process.env, console.error) })
  },
  composeSpec: async () => {
    const declared = { name: 'compose-spec', requirements: composeSpec }
    set({ TEST_COMPOSE_SPEC: await resolvePythonPackages(declared, toolsDir, process.env, console.error) })
  },
  pythonClient: async () => {
    const declared = { name: 'python-client', requirements: pythonClient }
    set({ TEST_PYTHON_CLIENT: await resolvePythonPackages(declared, toolsDir, process.env, console.error) })
  },
}

const declaredChromium = path.join(import.meta.dirname, 'chromium')
const pythonClient = path.join(root, 'test', 'clients', 'python', 'requirements.txt')
const composeSpec = path.join(root, 'test', 'production', 'requirements.txt')
const timelineReaders = path.join(root, 'test', 'exports', 'readers', 'requirements.txt')

type Need = keyof typeof starts

const needs: Readonly<Record<string, readonly Need[]>> = {
  media: ['tools', 'models'],
  db: ['postgres'],
  api: ['tools', 'models', 'postgres', 'temporal', 'testServer'],
  service: [
    'tools',
    'models',
    'postgres',
    'temporal',
    'testServer',
    'build',
    'gcsEmulator',
    'mcpClients',
    'timelineReaders',
    'composeSpec',
    'pythonClient',
    'sharedService',
  ],
  browser: ['tools', 'models', 'postgres', 'temporal', 'build', 'chromium', 'mcpClients', 'sharedService'],
  faults: ['tools', 'models', 'build', 'gcsEmulator', 'pythonClient'],
}

interface Shared {
  readonly folder: string
  readonly supervisor: Supervisor
  readonly started: Map<Need, Promise<void>>
  /** Stop what needs the rest until its end. */
  readonly stops: (() => Promise<void>)[]
  provided?: ProvidedContext['sharedService']
}

declare global {
  /** Every project loads this file separately, and finds here what another project has started. */
  var sharedByTests: Shared | undefined
}

/** Starts the services of the project's tests in parallel, unless they are already running. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.sharedByTests ??= createShared()
  const shared = globalThis.sharedByTests
  try {
    const own = needs[project.name] ?? []
    await Promise.all(own.map((need) => start(shared, project, need)))
    // To each project, although the first one has started it.
    if (own.includes('sharedService') && shared.provided) project.provide('sharedService', shared.provided)
  } catch (error) {
    await stopAll(shared)
    throw error
  }
  return () => stopAll(shared)
}

/** vitest calls this when the tests of all projects have ended, once for each. */
async function stopAll({ supervisor, stops }: Shared): Promise<void> {
  try {
    for (const stop of stops.splice(0)) await stop()
  } catch (error) {
    // vitest reports the error, and ends well.
    process.exitCode = 1
    throw error
  } finally {
    await supervisor.stopAll()
  }
}

function createShared(): Shared {
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-test-'))
  set({ TEST_FOLDER: folder })
  const supervisor = createSupervisor(path.join(folder, 'logs'))
  supervisor.removeAtEnd(folder)
  // A signal ends vitest without the teardown.
  process.once('exit', supervisor.killAll)
  return { folder, supervisor, started: new Map(), stops: [] }
}

function start(shared: Shared, project: TestProject, need: Need): Promise<void> {
  const started = shared.started.get(need) ?? starts[need](shared, project)
  shared.started.set(need, started)
  return started
}

function set(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] = value ?? ''
}

async function createTemplate(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(`create database "${templateDatabase}"`)
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = `/${templateDatabase}`
  await migrate(url.href)
}
