import { ServiceError } from '../../src/core/errors.ts'
import { failureOfJob } from '../../src/store/job-documents.ts'
import { hasEnded, type JobWithOutputs } from '../../src/store/jobs.ts'
import { readJob } from '../read-jobs.ts'
import type { KeyCall } from './define-tool.ts'

/** A job that completed. One that failed throws its own error, one that goes on `conflict`. */
export async function completedJob(
  { context, credential: reader, signal }: KeyCall,
  jobId: string,
): Promise<JobWithOutputs> {
  const job = await readJob(context, { reader, jobId, waitSeconds: 0, signal })
  const failure = failureOfJob(job)
  if (failure) throw new ServiceError(failure.code, failure.message, { jobId })
  if (!hasEnded(job))
    throw new ServiceError('conflict', `This job is ${job.status}. Wait for its end first.`, { jobId })
  return job
}
