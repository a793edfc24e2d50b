import type { Logger } from 'pino'
import { type Database, openConnections } from '../src/store/database.ts'
import { findJob } from '../src/store/jobs.ts'
import { findUpload } from '../src/store/uploads.ts'
import type { JobClient } from '../src/temporal/job-client.ts'
import { missingProbe } from '../src/temporal/workflow-starts.ts'

export interface WarmUpApiInput {
  readonly db: Database
  readonly jobs: Pick<JobClient, 'startProbe'>
  readonly logger: Logger
}

/**
 * Does once what the first job would wait for: opens connections to the database, compiles statements, and starts the workflow of
 * an estimate that no probe has, which compiles Temporal's messages. Never throws.
 */
export async function warmUpApi({ db, jobs, logger }: WarmUpApiInput): Promise<void> {
  const probe = missingProbe()
  const { accountId, probeId } = probe
  try {
    await openConnections(db)
    await findUpload(db, accountId, probeId)
    await findJob(db, { accountId, scope: 'all' }, probeId)
    await jobs.startProbe(probe)
  } catch (error) {
    logger.warn({ err: error }, 'not warm: the first job takes longer')
  }
}
