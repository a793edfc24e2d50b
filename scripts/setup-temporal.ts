import { readVariables } from '../src/config.ts'
import { setupTemporal } from '../src/temporal/setup-temporal.ts'
import { temporalEnvironment } from '../src/variables.ts'
import type { Command } from './main.ts'

/** Creates namespace, search attributes and schedules in the Temporal that the environment names. */
export const setupTemporalCommand: Command = async ({ say }) => {
  const config = readVariables(temporalEnvironment)
  await setupTemporal(config)
  say(`Temporal at ${config.TEMPORAL_ADDRESS} is ready, namespace ${config.TEMPORAL_NAMESPACE}`)
  return 0
}
