import { ServiceError } from '../../src/core/errors.ts'
import { endpoints, findEndpoint } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import type { NamedJob } from '../../src/endpoints/timeline.ts'
import type { Database } from '../../src/store/database.ts'
import { hasEnded, type Job, type JobReader, seenBy } from '../../src/store/jobs.ts'

/**
 * Checks the earlier jobs that settings name: completed ones that the reader can see, with what the new job uses of their results.
 * Throws `invalid_request`, or `conflict` for a job that has not ended, with the path of the setting. `place` is the path of the settings.
 */
export async function checkNamedJobs(
  db: Database,
  reader: JobReader,
  named: readonly NamedJob[],
  place = 'settings',
): Promise<void> {
  if (named.length === 0) return
  const jobs = await db.job.findMany({
    where: { id: { in: named.map(({ jobId }) => jobId) }, AND: seenBy(reader) },
    select: { id: true, status: true, endpoint: true },
  })
  const found = new Map(jobs.map((job) => [job.id, job]))
  for (const each of named) {
    const job = found.get(each.jobId)
    if (job && !hasEnded(job))
      throw new ServiceError(
        'conflict',
        `${place}.${each.setting}: ${job.id} is ${job.status}. Wait until it is completed.`,
      )
    const problem = problemOf(each, job)
    if (problem !== undefined) throw new ServiceError('invalid_request', `${place}.${each.setting}: ${problem}`)
  }
}

function problemOf({ jobId, anyOf }: NamedJob, job: Pick<Job, 'status' | 'endpoint'> | undefined): string | undefined {
  if (!job) return `there is no job ${jobId} in this account, or the key does not cover it. Check the id.`
  if (job.status === 'failed') return `${jobId} failed, so it has no result. Use a completed job.`
  const returnsOne = ({ result }: LiveEndpoint) => anyOf.some((field) => Object.hasOwn(result.shape, field))
  const endpoint = findEndpoint(job.endpoint)
  if (endpoint && returnsOne(endpoint)) return undefined
  const others = endpoints.filter(returnsOne).map(({ id }) => id)
  return `the result of ${jobId}, a job of ${job.endpoint}, has no ${anyOf[0]}. Use a job of ${others.join(', ')}.`
}
