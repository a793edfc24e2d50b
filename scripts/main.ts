import path from 'node:path'
import { modelNames } from '../src/models/models.ts'
import { generateSources } from './setup/generated-sources.ts'
import { fetchModels } from './setup/models.ts'
import { resolveTools, type Tools } from './setup/tools.ts'
import type { Environment } from './stack/ports.ts'

/** The input of every command. Messages go to standard error; standard output is for the command's result. */
export interface Context {
  readonly root: string
  readonly args: readonly string[]
  /** The message about arguments that it does not take. */
  readonly usage: string
  readonly env: Environment
  readonly dataDir: string
  /** Where models are, or are fetched to. */
  readonly modelsDir: string
  readonly say: (message: string) => void
  /** Finds the programs that the stack runs, and downloads missing ones. */
  readonly findTools: () => Promise<Tools>
}

/** Returns the exit code. The message of a thrown Error is for the user. */
export type Command = (context: Context) => Promise<number>

export interface CommandEntry {
  /** Its arguments, as the usage shows them. Without this, it takes none. */
  readonly takes?: string
  /** Runs after the set-up, because commands import generated files. */
  readonly load: () => Promise<Command>
}

const testFiles = '[VITEST ARGUMENT …]'

const commands: Readonly<Record<string, CommandEntry>> = {
  start: { load: async () => (await import('./start.ts')).startCommand },
  key: { load: async () => (await import('./key.ts')).keyCommand },
  demo: { load: async () => (await import('./demo.ts')).demoCommand },
  lab: { takes: 'NAME [ARGUMENT …]', load: async () => (await import('../lab/main.ts')).labCommand },
  'setup:temporal': { load: async () => (await import('./setup-temporal.ts')).setupTemporalCommand },
  build: { load: async () => (await import('./build.ts')).buildCommand },
  clients: { load: async () => (await import('./clients.ts')).clientsCommand },
  migrations: {
    takes: 'create NAME | deploy | status | drift',
    load: async () => (await import('./migrations.ts')).migrationsCommand,
  },
  histories: {
    takes: 'record [--replace] [PATH …]',
    load: async () => (await import('./histories.ts')).historiesCommand,
  },
  models: {
    takes: 'list | fetch [--shippable] [NAME …] | verify',
    load: async () => (await import('./models.ts')).modelsCommand,
  },
  audit: { load: async () => (await import('./audit.ts')).auditCommand },
  'ledger:check': { load: async () => (await import('./check-ledger.ts')).checkLedgerCommand },
  test: { takes: testFiles, load: async () => (await import('./test.ts')).testCommand },
  'test:fast': { takes: testFiles, load: async () => (await import('./test-fast.ts')).testFastCommand },
}

function usageOf(name: string, takes?: string): string {
  const run = ['start', 'test'].includes(name) ? name : `run ${name}`
  return `usage: npm ${run}${takes === undefined ? '' : ` -- ${takes}`}`
}

/** Does the set-up that every command needs, then runs the command. Returns the exit code. With `--help`, prints the usage and does nothing. */
export async function main(root: string, [name = '', ...args]: readonly string[]): Promise<number> {
  const entry = commands[name]
  if (!entry) throw new Error(`usage: node scripts/run.mjs ${Object.keys(commands).join(' | ')}`)
  const { takes, load } = entry
  const usage = usageOf(name, takes)
  if (args[0] === '--help' || args[0] === '-h') {
    console.log(usage)
    return 0
  }
  if (takes === undefined && args.length > 0) throw new Error(usage)
  const env = process.env
  const setupSays = (message: string) => console.error(`set-up: ${message}`)
  await generateSources(root, setupSays)
  const command = await load()
  const toolsDir = path.resolve(root, env['TOOLS_DIR'] || '.tools')
  const modelsDir = path.resolve(root, env['MODELS_DIR'] || path.join(toolsDir, 'models'))
  return command({
    root,
    args,
    usage,
    env,
    dataDir: path.resolve(root, env['DATA_DIR'] || '.data'),
    say: (message) => console.error(message),
    modelsDir,
    findTools: async () => {
      // An operator's folder stays as it is.
      const missing = env['MODELS_DIR'] ? [] : modelNames
      const [tools] = await Promise.all([
        resolveTools(env, toolsDir, setupSays),
        fetchModels(missing, { modelsDir, env, say: setupSays }),
      ])
      return tools
    },
  })
}
