import { ServiceError } from '../src/core/errors.ts'
import type { Storage } from '../src/storage/storage.ts'
import { findJob, type JobReader, type JobWithOutputs } from '../src/store/jobs.ts'
import type { ApiContext } from './context.ts'
import { assertJobId, noSuchJob } from './read-jobs.ts'

/** A completed job whose files are all there: presenting it signs their URLs anew. */
export async function refreshOutputs(
  { db, storage }: Pick<ApiContext, 'db' | 'storage'>,
  reader: JobReader,
  jobId: string,
): Promise<JobWithOutputs> {
  const job = await findJob(db, reader, assertJobId(jobId))
  if (!job) throw noSuchJob()
  await assertOutputsAreThere(storage, job)
  return job
}

async function assertOutputsAreThere(storage: Storage, { id: jobId, status, outputs }: JobWithOutputs): Promise<void> {
  if (status !== 'completed') {
    throw new ServiceError('conflict', `This job is ${status}. Only a completed job has outputs.`, { jobId })
  }
  const objects = await Promise.all(outputs.map(({ objectKey }) => storage.stat(objectKey)))
  if (objects.includes(undefined)) {
    throw new ServiceError('not_found', 'The files of this job are not kept any more. Run the job again.', { jobId })
  }
}
