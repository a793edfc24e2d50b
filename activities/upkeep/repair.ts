import { findAccountsWithItems } from '../../src/batches/items.ts'
import { lastJobId } from '../../src/chains/step-request.ts'
import { newId } from '../../src/core/ids.ts'
import type { Database } from '../../src/db/database.ts'
import { findAdmissibleAccounts } from '../../src/jobs/admission.ts'
import type { Failure, Job } from '../../src/jobs/job-rows.ts'
import { findDispatchedJobs, findUndeliveredCancellations, findUndispatchedJobs } from '../../src/jobs/open-jobs.ts'
import { closeUnanswered, findIdleRuns } from '../../src/jobs/run-rows.ts'
import { canceledJob } from '../../src/jobs/settle-job.ts'
import {
  canceledRun,
  deliverCancellation,
  endJob,
  endRun,
  startJob,
  startNextJobs,
} from '../../src/jobs/start-and-end.ts'
import { findDueEndpoints } from '../../src/webhooks/deliveries.ts'
import type { Dependencies } from '../dependencies.ts'
import { graceSeconds, repairEach, repairRule, type UpkeepPass, type UpkeepRule } from './rule.ts'

const pageSize = 200

const abandoned = {
  code: 'server_error',
  message: 'The run was ended before its last step. Completed steps stay as they are. Start it again.',
} as const

/** What an outage or an operator left between rows and Temporal, and what nothing else starts. */
export const repairRules = {
  resendCancellations: repairRule({
    description: 'delivers cancellations that did not reach Temporal',
    cause: 'outage of Temporal',
    find: ({ db }, page) => findUndeliveredCancellations(db, graceSeconds, page),
    repair: async ({ id }, deps) => {
      await deliverCancellation(deps, id)
      return true
    },
  }),
  startAdmittedJobs: repairRule({
    description: 'starts jobs that have a slot and did not reach Temporal',
    cause: 'outage of Temporal, or a process that was killed',
    find: ({ db }, page) => findUndispatchedJobs(db, graceSeconds, page),
    repair: async (job, deps) => {
      await startJob(deps, job)
      return true
    },
  }),
  startDueDeliveries: repairRule({
    description:
      'starts the deliveries to webhook endpoints that are due: later attempts, and those that an outage left',
    find: ({ db }, page) => findDueEndpoints(db, page),
    repair: async ({ id: endpointId, accountId }, { jobs }) => {
      await jobs.startDeliveries({ endpointId, accountId })
      // It stays due until its workflow has sent: the pass goes on past it.
      return false
    },
  }),
  startWaitingItems: repairRule({
    description: 'starts items of batches and directives, and ends batches, where no end of a run does',
    find: ({ db }, page) => findAccountsWithItems(db, page),
    repair: async (accountId, { jobs }) => {
      await jobs.startItems({ accountId })
      return true
    },
  }),
  admitWaitingJobs: repairRule({
    description: 'assigns free slots to waiting jobs',
    cause: 'a resumed account, or one that got more slots',
    find: ({ db, slotLimits }, page) => findAdmissibleAccounts(db, slotLimits, page),
    repair: (accountId, deps) => startNextJobs(deps, accountId),
  }),
  /** Checks every open job, from a random id on, so that passes that are cut short do not always leave the same jobs unchecked. */
  endAbandonedJobs: {
    description: 'ends jobs whose workflow was terminated or is unknown: failed, nothing charged',
    cause: 'an operator, or a lost Temporal database',
    query: ({ db }) => findPage(db, newId('job')),
    repair: async (deps, pass) => {
      const randomId = newId('job')
      return (await endFrom(deps, pass, randomId, undefined)) + (await endFrom(deps, pass, '', randomId))
    },
  },
  endAbandonedRuns: repairRule({
    description:
      'ends runs of a chain whose workflow was terminated or is unknown, after their jobs: failed, unless the last job completed; completed steps stay charged. A day after they asked for consent to their price, runs are canceled',
    cause: 'an operator, or a lost Temporal database',
    find: ({ db }, page) => findIdleRuns(db, new Date(Date.now() - graceSeconds * 1000), page),
    repair: async (run, deps) => {
      const { id: runId, accountId } = run
      if (await deps.jobs.isOpen(runId)) return false
      if (run.consentAskedAt && !(await closeUnanswered(deps.db, runId))) return false
      const failure = run.consentAskedAt ? canceledRun : abandoned
      return endRun(deps, { runId, accountId, lastJobId: lastJobId(run), failure })
    },
  }),
} satisfies Record<string, UpkeepRule>

function findPage(db: Database, afterId: string, toId?: string) {
  return findDispatchedJobs(db, graceSeconds, { afterId, toId, limit: pageSize })
}

async function endFrom(
  deps: Dependencies,
  pass: UpkeepPass,
  fromId: string,
  toId: string | undefined,
): Promise<number> {
  let repaired = 0
  let afterId = fromId
  for (;;) {
    const page = await findPage(deps.db, afterId, toId)
    repaired += await repairEach(page, pass, async (job) => {
      if (await deps.jobs.isOpen(job.id)) return false
      if (job.runId && (await deps.jobs.isOpen(job.runId))) return false
      return (await endJob(deps, job.id, failureOfAbandonedJob(job))).endedNow
    })
    const last = page.at(-1)
    if (!last || page.length < pageSize) return repaired
    afterId = last.id
  }
}

function failureOfAbandonedJob({ cancelRequestedAt }: Job): Failure {
  if (cancelRequestedAt) return canceledJob
  return {
    code: 'server_error',
    message: 'The job was ended before its work was done, and nothing was charged. Create it again.',
  }
}
