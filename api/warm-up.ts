import type { Logger } from 'pino'
import { newId } from '../src/core/ids.ts'
import { type Database, pingDatabase } from '../src/store/database.ts'
import { findJob } from '../src/store/jobs.ts'
import { findUpload } from '../src/store/uploads.ts'
import type { JobClient } from '../src/temporal/job-client.ts'

export interface WarmUpInput {
  readonly db: Database
  readonly jobs: Pick<JobClient, 'startProbe'>
  readonly logger: Logger
}

/**
 * Does once what the first job would wait for: opens connections to the database, compiles statements, and starts the workflow of
 * an estimate that no probe has, which compiles Temporal's messages. Never throws.
 */
export async function warmUp({ db, jobs, logger }: WarmUpInput): Promise<void> {
  const probeId = newId('prb')
  try {
    await Promise.all(Array.from({ length: 4 }, () => pingDatabase(db)))
    await findUpload(db, probeId, probeId)
    await findJob(db, { accountId: probeId, scope: 'all' }, probeId)
    await jobs.startProbe({ probeId, accountId: probeId, isStored: true })
  } catch (error) {
    logger.warn({ err: error }, 'not warm: the first job takes longer')
  }
}
