import { configOrExit, exitWithMessage } from '../config.ts'
import { migrate } from '../store/migrate.ts'
import { setupTemporal } from '../temporal/setup-temporal.ts'

// Runs to its end before the API and the workers of a release start, and may run again at any time.

const config = configOrExit()
try {
  const applied = await migrate(config.DATABASE_DIRECT_URL)
  say(applied.length > 0 ? `migrations applied: ${applied.join(', ')}` : 'every migration was applied before')
  await setupTemporal(config)
  say(`Temporal at ${config.TEMPORAL_ADDRESS} is ready, namespace ${config.TEMPORAL_NAMESPACE}`)
} catch (error) {
  exitWithMessage(error)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
