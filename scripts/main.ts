import path from 'node:path'
import { modelNames } from '../src/models/models.ts'
import { fetchModels } from './setup/models.ts'
import { generatePrismaClient } from './setup/prisma-client.ts'
import { resolveTools, type Tools } from './setup/tools.ts'
import type { Environment } from './stack/ports.ts'

/** The input of every command. Messages go to standard error; standard output is for the command's result. */
export interface Context {
  readonly root: string
  readonly args: readonly string[]
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

/** Loaded after the set-up, because they import generated files. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).startCommand,
  key: async () => (await import('./key.ts')).keyCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  bench: async () => (await import('./bench.ts')).benchCommand,
  'bench:media': async () => (await import('./bench-media.ts')).benchMediaCommand,
  'bench:finders': async () => (await import('./bench-finders.ts')).benchFindersCommand,
  soak: async () => (await import('./soak.ts')).soakCommand,
  fuzz: async () => (await import('./fuzz.ts')).fuzzCommand,
  'setup:temporal': async () => (await import('./setup-temporal.ts')).setupTemporalCommand,
  build: async () => (await import('./build.ts')).buildCommand,
  migrations: async () => (await import('./migrations.ts')).migrationsCommand,
  histories: async () => (await import('./histories.ts')).historiesCommand,
  models: async () => (await import('./models.ts')).modelsCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  'ledger:check': async () => (await import('./check-ledger.ts')).checkLedgerCommand,
  test: async () => (await import('./test.ts')).testCommand,
  'test:fast': async () => (await import('./test-fast.ts')).testFastCommand,
  'test:faults': async () => (await import('./faults.ts')).faultsCommand,
  'test:attacks': async () => (await import('./attacks.ts')).attacksCommand,
  'test:money': async () => (await import('./money.ts')).moneyCommand,
  'test:corpus': async () => (await import('./corpus.ts')).corpusCommand,
}

/** Does the set-up that every command needs, then runs the command. Returns the exit code. */
export async function main(root: string, [name = '', ...args]: readonly string[]): Promise<number> {
  const load = commands[name]
  if (!load) throw new Error(`usage: node scripts/run.mjs ${Object.keys(commands).join(' | ')}`)
  const env = process.env
  const setupSays = (message: string) => console.error(`set-up: ${message}`)
  await generatePrismaClient(root, setupSays)
  const command = await load()
  const toolsDir = path.resolve(root, env['TOOLS_DIR'] || '.tools')
  const modelsDir = path.resolve(root, env['MODELS_DIR'] || path.join(toolsDir, 'models'))
  return command({
    root,
    args,
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
