import { exitWithMessage, readVariables } from '../config.ts'
import { reachDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { setupTemporal } from '../temporal/setup-temporal.ts'
import { databaseEnvironment, temporalEnvironment } from '../variables.ts'
import { helpIfAsked } from './help.ts'

// Runs before the API and the workers of a release start. Can be repeated at any time.

helpIfAsked('usage: setup.js\nApplies migrations, and sets Temporal up.')

try {
  const config = readVariables(databaseEnvironment.extend(temporalEnvironment.shape))
  const directUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  await reachDatabase(config.DATABASE_DIRECT_URL ? { DATABASE_DIRECT_URL: directUrl } : { DATABASE_URL: directUrl })
  const applied = await migrate(directUrl)
  say(applied.length > 0 ? `migrations applied: ${applied.join(', ')}` : 'all migrations were already applied')
  await setupTemporal(config)
  say(`Temporal at ${config.TEMPORAL_ADDRESS} is ready, namespace ${config.TEMPORAL_NAMESPACE}`)
} catch (error) {
  exitWithMessage(error)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
