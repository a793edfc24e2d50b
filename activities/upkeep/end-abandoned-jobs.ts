import { errorTable } from '../../src/core/errors.ts'
import { endJob } from '../../src/jobs/end-job.ts'
import type { Failure } from '../../src/store/job-documents.ts'
import { findStartedJobs, hasEnded, type Job } from '../../src/store/jobs.ts'
import type { UpkeepRule } from './index.ts'
import { graceSeconds } from './limits.ts'
import { repairEach } from './repair-each.ts'

const pageSize = 200

/** Ends the jobs whose workflow was terminated or is no longer known: failed, and nothing charged. Looks at every open job. */
export const endAbandonedJobs: UpkeepRule = async (deps, logger) => {
  let repaired = 0
  let afterId = ''
  for (;;) {
    const page = await findStartedJobs(deps.db, graceSeconds, { afterId, limit: pageSize })
    repaired += await repairEach(page, logger, async (job) => {
      if (await deps.jobs.isOpen(job.id)) return false
      return hasEnded(await endJob(deps, job.id, failureOf(job)))
    })
    const last = page.at(-1)
    if (!last || page.length < pageSize) return repaired
    afterId = last.id
  }
}

function failureOf({ cancelRequestedAt }: Job): Failure {
  if (cancelRequestedAt) return { code: 'canceled', message: errorTable.canceled.message }
  return {
    code: 'server_error',
    message: 'The job was ended before its work was done, and nothing was charged. Create it again.',
  }
}
