import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { resolveMcpClients } from '../../scripts/setup/mcp-clients.ts'
import { resolveGcsEmulator, resolveTestServer, resolveTools } from '../../scripts/setup/tools.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { startPostgres } from '../../scripts/stack/postgres.ts'
import { createSupervisor } from '../../scripts/stack/processes.ts'
import { bundleWorkflows } from '../../scripts/stack/services.ts'
import { startTemporal } from '../../scripts/stack/temporal.ts'
import { migrate } from '../../src/store/migrate.ts'
import { setupTemporal } from '../../src/temporal/setup-temporal.ts'
import { templateDatabase } from './database.ts'
import { declaredMcpClients } from './mcp-clients.ts'

/** Starts what tests share: a throw-away Postgres and a Temporal dev server. Test files get them by environment variables. */
export async function setup(): Promise<() => Promise<void>> {
  const root = path.join(import.meta.dirname, '..', '..')
  const toolsDir = process.env['TOOLS_DIR'] ?? path.join(root, '.tools')
  const tools = await resolveTools(process.env, toolsDir, console.error)
  const testServerPath = await resolveTestServer(process.env, toolsDir, console.error)
  const gcsEmulatorPath = await resolveGcsEmulator(process.env, toolsDir, console.error)
  const mcpClients = await resolveMcpClients(declaredMcpClients, toolsDir, process.env, console.error)
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-test-'))
  const supervisor = createSupervisor(path.join(folder, 'logs'))
  supervisor.removeAtEnd(folder)
  // A signal ends vitest at once, without the teardown.
  process.once('exit', supervisor.killAll)
  try {
    const bundle = path.join(folder, 'workflow-bundle.js')
    const [{ url }, { address }] = await Promise.all([
      freePort().then((port) => startPostgres(supervisor, { folder: path.join(folder, 'pg'), port, throwAway: true })),
      startTestTemporal(tools.temporalPath),
      bundleWorkflows(root, bundle),
    ])
    await createTemplate(url)
    process.env['FFMPEG_PATH'] = tools.ffmpegPath
    process.env['FFPROBE_PATH'] = tools.ffprobePath
    process.env['TEMPORAL_PATH'] = tools.temporalPath
    process.env['TEMPORAL_TEST_SERVER_PATH'] = testServerPath
    process.env['FAKE_GCS_SERVER_PATH'] = gcsEmulatorPath ?? ''
    process.env['TEST_MCP_CLIENTS'] = mcpClients ?? ''
    process.env['TEST_DATABASE_ADMIN_URL'] = url
    process.env['TEST_TEMPORAL_ADDRESS'] = address
    process.env['WORKFLOW_BUNDLE'] = bundle
  } catch (error) {
    await supervisor.stopAll()
    throw error
  }
  return () => supervisor.stopAll()

  async function startTestTemporal(temporalPath: string) {
    const [port, uiPort] = [await freePort(), await freePort()]
    const server = await startTemporal(supervisor, { temporalPath, port, uiPort })
    await setupTemporal({ TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default', TEMPORAL_TLS: false })
    return server
  }
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
