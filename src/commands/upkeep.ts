import { Client, Connection } from '@temporalio/client'
import { exitWithMessage, readVariables } from '../config.ts'
import { connectionOptions, noTemporal } from '../temporal/connection.ts'
import { pauseUpkeep, resumeUpkeep } from '../temporal/setup-temporal.ts'
import { temporalEnvironment } from '../variables.ts'
import { helpIfAsked } from './help.ts'

// Pauses and resumes upkeep: its schedule, and the run that makes passes now.

const usage = `usage: upkeep.js pause REASON | upkeep.js resume
  pause    no pass begins until resume; the alert UpkeepStandsStill fires after a quarter of an hour
  resume   the next pass begins within seconds`

helpIfAsked(usage)

const [action, reason, ...more] = process.argv.slice(2)
const isPause = action === 'pause' && Boolean(reason?.trim()) && more.length === 0
const isResume = action === 'resume' && reason === undefined

if (isPause || isResume) await run()
else exitWithMessage(usage)

async function run(): Promise<void> {
  try {
    const config = readVariables(temporalEnvironment)
    const connection = await Connection.connect(connectionOptions(config)).catch((error: unknown) => {
      throw noTemporal(config, error)
    })
    const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE })
    if (isPause) await pauseUpkeep(client, reason ?? '')
    else await resumeUpkeep(client)
    process.stdout.write(isPause ? 'upkeep is paused\n' : 'upkeep runs\n')
    await connection.close()
  } catch (error) {
    exitWithMessage(error)
  }
}
