import { type MediaTraits, seemsOther } from '../src/core/same-media.ts'
import type { MediaNames } from '../src/endpoints/run-contract.ts'
import { getEarlierJob } from '../src/store/earlier-results.ts'
import { mediaInfoOf } from '../src/store/job-documents.ts'
import type { Job } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'

type JobOnMedia = Pick<Job, 'accountId' | 'apiKeyId' | 'mediaUrl' | 'mediaName' | 'mediaInfo'>

/** As `RunContext.otherMedia`. */
export async function findOtherMedia(
  { db }: Pick<Dependencies, 'db'>,
  job: JobOnMedia,
  jobId: string,
): Promise<MediaNames | undefined> {
  const [earlier, own] = [traitsOf(await getEarlierJob(db, job, jobId)), traitsOf(job)]
  if (!earlier || !own || !seemsOther(earlier, own)) return undefined
  return { earlier: earlier.name ?? '', own: own.name ?? '' }
}

/** Undefined for a job that read no media. */
function traitsOf(job: Pick<JobOnMedia, 'mediaUrl' | 'mediaName' | 'mediaInfo'>): MediaTraits | undefined {
  if (job.mediaUrl === null) return undefined
  return { url: job.mediaUrl, name: job.mediaName, bytes: mediaInfoOf(job)?.bytes }
}
