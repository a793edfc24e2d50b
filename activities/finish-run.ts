import { lastJobId } from '../src/chains/step-request.ts'
import { endRun } from '../src/jobs/end-run.ts'
import { settleAndMeasure } from '../src/jobs/settle-job.ts'
import { hasWaitingJobs } from '../src/store/admission.ts'
import type { Failure } from '../src/store/job-documents.ts'
import { closeRun, findOpenJobs, firstJobOf, getRun } from '../src/store/runs.ts'
import type { Dependencies } from './dependencies.ts'

export interface FinishRunInput {
  readonly runId: string
  readonly failure?: Failure
}

export interface FinishRunResult {
  /** The job that freed a slot, if other jobs of the account wait for one. */
  readonly freedBy: string | null
}

/** Ends the run's row, and a job that was never dispatched. The other jobs have ended themselves; completed ones stay charged. */
export async function finishRun(deps: Dependencies, { runId, failure }: FinishRunInput): Promise<FinishRunResult> {
  const run = await getRun(deps.db, runId)
  if (failure) {
    // A canceled step may still be creating a job; closing the run waits for it.
    await closeRun(deps.db, runId)
    await endUndispatched(deps, runId, failure)
  }
  await endRun(deps.db, { runId, lastJobId: lastJobId(run), failure })
  const job = await firstJobOf(deps.db, runId)
  deps.logger.info({ runId, accountId: job?.accountId, code: failure?.code }, 'run ended')
  return { freedBy: job && (await hasWaitingJobs(deps.db, job.accountId)) ? job.id : null }
}

/** Ends a job that no workflow runs: the run was canceled between creating the job and starting it. */
async function endUndispatched(deps: Dependencies, runId: string, failure: Failure): Promise<void> {
  for (const { id } of await findOpenJobs(deps.db, runId)) {
    if (!(await deps.jobs.isOpen(id))) await settleAndMeasure(deps, id, failure)
  }
}
