import { ServiceError } from '../../src/core/errors.ts'
import type { Credential } from '../../src/store/credentials.ts'
import type { JobWithOutputs } from '../../src/store/jobs.ts'
import type { RunWithJobs } from '../../src/store/runs.ts'
import { findJobWithResult, type ResultContext, withResults } from '../jobs/find.ts'
import { assertJobId, noSuchJob } from '../jobs/read.ts'
import { statusOf } from '../runs/present.ts'
import { findOwnRun } from '../runs/read.ts'

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

/** Throws as `findCompletedJob` does. */
export async function findCompletedRun(
  context: ResultContext,
  reader: Credential,
  runId: string,
): Promise<RunWithJobs> {
  const run = await findOwnRun(context, reader, runId)
  const status = statusOf(run)
  if (status === 'completed') return withResults(context, run)
  throw new ServiceError(
    'conflict',
    `This run is ${status}, and only a completed run can be exported. Wait for it with GET /v1/workflow-runs/${run.id}?wait=20, or export one of its jobs.`,
  )
}
