import type { Logger } from 'pino'
import { z } from 'zod'
import { newId } from '../src/core/ids.ts'
import { detectSilenceEndpoint } from '../src/endpoints/audio-detect-silence/declaration.ts'
import { rehearseJob } from '../src/jobs/rehearsal.ts'
import { type Database, openConnections } from '../src/store/database.ts'
import { findJob } from '../src/store/jobs.ts'
import { findUpload } from '../src/store/uploads.ts'
import type { JobClient } from '../src/temporal/job-client.ts'
import { missingProbe } from '../src/temporal/workflow-starts.ts'
import { type PresentContext, presentJob } from './jobs/present.ts'
import { jobRequest } from './jobs/request-schema.ts'
import { jobEnvelope } from './jobs/schema.ts'
import { validateJobRequest } from './jobs/validate.ts'

export type WarmUpApiInput = PresentContext & {
  readonly db: Database
  readonly jobs: Pick<JobClient, 'startProbe'>
  readonly logger: Logger
}

/**
 * Does once what the first job would wait for: opens connections to the database, plays how a job is accepted and answered, and
 * starts the workflow of an estimate that no probe has, which compiles Temporal's messages. Never throws.
 */
export async function warmUpApi(context: WarmUpApiInput): Promise<void> {
  const { db, jobs, logger } = context
  try {
    await openConnections(db)
    await Promise.all([rehearseCreate(context), jobs.startProbe(missingProbe())])
  } catch (error) {
    logger.warn({ err: error }, 'not warm: the first job takes longer')
  }
}

async function rehearseCreate(context: WarmUpApiInput): Promise<void> {
  const uploadId = newId('upl')
  const media_url = `${context.config.BASE_URL}/v1/media/${uploadId}`
  const name = 'rehearsal.wav'
  const reference = { url: media_url, object: { key: `uploads/${uploadId}/${name}`, generation: '1' }, name }
  const valid = validateJobRequest(jobRequest.parse({ endpoint: detectSilenceEndpoint.id, media_url }))
  const work = { ...valid, endpoint: detectSilenceEndpoint, reference }
  await rehearseJob(context.db, work, async (db, { id, accountId, requestId }) => {
    await findUpload(db, accountId, uploadId)
    const read = await findJob(db, { accountId, scope: 'all' }, id)
    if (!read) throw new Error(`${id} is not readable`)
    const body = await presentJob(context, { ...read, result: null })
    JSON.stringify(z.safeEncode(jobEnvelope, { request_id: requestId, job_id: id, job: body }))
  })
}
