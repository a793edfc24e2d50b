import { acceptJob } from '../src/billing/accept-job.ts'
import { newId } from '../src/core/ids.ts'
import { findReplay, type IdempotencyKey } from '../src/store/idempotency.ts'
import { findJob, hasEnded, type Job, type JobWithOutputs, markAccepted } from '../src/store/jobs.ts'
import type { Credential } from '../src/store/keys.ts'
import { countLedgerErrors } from '../src/telemetry/measure-jobs.ts'
import { assertScope } from './authenticate.ts'
import type { ApiContext } from './context.ts'
import { resolveMedia } from './job-media.ts'
import { type JobPlan, planJob } from './plan-job.ts'
import type { JobRequest } from './schemas/job-request.ts'

export interface CreateJobInput {
  readonly credential: Credential
  readonly requestId: string
  readonly request: JobRequest
  readonly idempotency?: IdempotencyKey | undefined
}

export interface CreatedJob {
  readonly job: JobWithOutputs
  /** An earlier request with the same Idempotency-Key made it. */
  readonly replayed: boolean
  readonly runOnWorker: boolean
}

/** Accepts a job and hands it to Temporal. Every refusal is a ServiceError and leaves nothing behind. */
export async function createJob(context: ApiContext, input: CreateJobInput): Promise<CreatedJob> {
  const plan = planJob(input.request)
  assertScope(input.credential, plan.endpoint.id)
  const accepted = (await replay(context, input)) ?? (await accept(context, input, plan))
  if (!accepted.job.acceptedAt && !accepted.job.cancelRequestedAt && !hasEnded(accepted.job)) {
    await start(context, accepted.job, accepted.fileName)
  }
  const outputs = accepted.replayed ? await findJob(context.db, input.credential.accountId, accepted.job.id) : null
  return {
    job: outputs ?? { ...accepted.job, outputs: [] },
    replayed: accepted.replayed,
    runOnWorker: plan.runOnWorker,
  }
}

interface Accepted {
  readonly job: Job
  readonly replayed: boolean
  readonly fileName: string | null
}

/** Looked up before the media is: a replay holds even when its upload is gone. */
async function replay({ db }: ApiContext, { credential, idempotency }: CreateJobInput): Promise<Accepted | undefined> {
  const jobId = idempotency && (await findReplay(db, credential.accountId, idempotency))
  const job = jobId ? await findJob(db, credential.accountId, jobId) : null
  return job ? { job, replayed: true, fileName: null } : undefined
}

async function accept(
  context: ApiContext,
  { credential, requestId, request, idempotency }: CreateJobInput,
  plan: JobPlan,
): Promise<Accepted> {
  const { accountId } = credential
  const { fileName, ...media } = await resolveMedia(context, accountId, request.media_url)
  const { endpoint, window, settings, warnings } = plan
  const jobId = newId('job')
  // They would wait for each other at the account's row, each with a connection that others need.
  const acceptNow = () =>
    acceptJob(context.db, {
      jobId,
      accountId,
      requestId,
      endpoint: endpoint.id,
      rateMicroUsdPerMinute: endpoint.price.rateMicroUsdPerMinute,
      billableMilliseconds: endpoint.billableMilliseconds(window, settings, undefined),
      window,
      settings,
      warnings,
      media,
      idempotency,
      traceParent: context.tracing.traceParent(),
    })
  const accepted = await context.inTurn(accountId, () => countLedgerErrors(context.metrics, 'accept', acceptNow))
  if (!accepted.replayed) context.metrics.jobsCreated.inc({ endpoint: endpoint.id })
  return { ...accepted, fileName }
}

/** Accepted work is never lost: where Temporal does not answer, the row stays queued and is started later. */
async function start(
  { db, jobs, logger }: ApiContext,
  { id: jobId, accountId, endpoint, traceParent }: Job,
  fileName: string | null,
): Promise<void> {
  try {
    await jobs.start({
      jobId,
      accountId,
      endpoint,
      summary: fileName ? `${endpoint} · ${fileName}` : endpoint,
      traceParent,
    })
  } catch (error) {
    logger.warn({ jobId, accountId, err: error }, 'job not started yet')
    return
  }
  // Not awaited: a mark that is lost makes somebody start the job again, which changes nothing.
  void markAccepted(db, jobId).catch((error: unknown) => logger.warn({ jobId, err: error }, 'start not recorded'))
}
