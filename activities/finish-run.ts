import { lastJobId } from '../src/chains/step-request.ts'
import { endJob } from '../src/jobs/end-job.ts'
import { endRun } from '../src/jobs/end-run.ts'
import type { Failure } from '../src/store/job-documents.ts'
import { closeRun, findOpenJobs, getRun } from '../src/store/runs.ts'
import type { Dependencies } from './dependencies.ts'

export interface FinishRunInput {
  readonly runId: string
  readonly failure?: Failure
}

/**
 * Ends the run's row, and a job that was never dispatched, and gives the run's slot to a job that waits. The other jobs have ended
 * themselves; completed ones stay charged.
 */
export async function finishRun(deps: Dependencies, { runId, failure }: FinishRunInput): Promise<void> {
  const run = await getRun(deps.db, runId)
  if (failure) {
    // A canceled step may still be creating a job; closing the run waits for it.
    await closeRun(deps.db, runId)
    await endUndispatched(deps, runId, failure)
  }
  const { accountId } = run
  await endRun(deps, { runId, accountId, lastJobId: lastJobId(run), failure })
  deps.logger.info({ runId, accountId, code: failure?.code }, 'run ended')
}

/** Ends a job that no workflow runs: the run was canceled between creating the job and starting it. */
async function endUndispatched(deps: Dependencies, runId: string, failure: Failure): Promise<void> {
  for (const { id } of await findOpenJobs(deps.db, runId)) {
    if (!(await deps.jobs.isOpen(id))) await endJob(deps, id, failure)
  }
}
