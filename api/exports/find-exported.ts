import type { Credential } from '../../src/accounts/credentials.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { JobWithOutputs } from '../../src/jobs/job-rows.ts'
import type { RunWithJobs, RunWithoutResults } from '../../src/jobs/run-rows.ts'
import {
  assertJobId,
  findJobOnMedia,
  findJobWithResult,
  noSuchJob,
  type ResultContext,
  withResults,
} from '../jobs/read.ts'
import { findOwnRun, statusOf } from '../runs/read.ts'

/** Throws `conflict` before the end, `not_found` for others' jobs. */
export async function findCompletedJob(
  context: ResultContext,
  reader: Credential,
  jobId: string,
): Promise<JobWithOutputs> {
  const job = await findJobWithResult(context, reader, assertJobId(jobId))
  if (!job) throw noSuchJob()
  if (job.status === 'completed') return job
  throw new ServiceError(
    'conflict',
    `This job is ${job.status}, and only a completed job can be exported. ${job.status === 'failed' ? 'Create another one.' : `Wait for it with GET /v1/jobs/${job.id}?wait=20.`}`,
    { jobId },
  )
}

/** The job whose media the times of a job are of: itself, unless it works on results of others. */
export async function findSource({ db }: ResultContext, reader: Credential, job: JobWithOutputs) {
  return (await findJobOnMedia(db, reader, job)) ?? job
}

/** Throws as `findCompletedJob` does. */
export async function findCompletedRun(
  context: ResultContext,
  reader: Credential,
  runId: string,
  refuse: (run: RunWithoutResults) => ServiceError = notExported,
): Promise<RunWithJobs> {
  const run = await findOwnRun(context, reader, runId)
  if (statusOf(run) === 'completed') return withResults(context, run)
  throw refuse(run)
}

/** Why the run's own file is not there. */
export function notCompleted(run: RunWithoutResults): ServiceError {
  return refusal(run, '')
}

/** Each completed job of the run can be exported alone. */
function notExported(run: RunWithoutResults): ServiceError {
  const job = run.jobs.findLast(({ status }) => status === 'completed')
  return refusal(run, job ? `, or export a completed job of it: GET /v1/jobs/${job.id}/export` : '')
}

function refusal(run: RunWithoutResults, otherwise: string): ServiceError {
  const status = statusOf(run)
  const advice = status === 'failed' ? 'Create another one' : `Wait for it with GET /v1/workflow-runs/${run.id}?wait=20`
  return new ServiceError(
    'conflict',
    `This run is ${status}, and only a completed run can be exported. ${advice}${otherwise}.`,
  )
}
