import { lastJobId } from '../src/chains/step-request.ts'
import { endRun } from '../src/jobs/end-run.ts'
import { endJob } from '../src/jobs/settle-job.ts'
import { hasWaitingJobs } from '../src/store/admission.ts'
import type { Failure } from '../src/store/job-documents.ts'
import { closeRun, findOpenJobs, firstJobOf, getRun } from '../src/store/runs.ts'
import type { Dependencies } from './dependencies.ts'

export interface FinishRunInput {
  readonly runId: string
  readonly failure?: Failure
}

export interface FinishRunResult {
  /** The job whose running place is free now, where others of the account wait for it. */
  readonly freedBy: string | null
}

/** Ends the run's row. Its jobs ended on their own, but for one that never began, and those that completed stay billed. */
export async function finishRun(deps: Dependencies, { runId, failure }: FinishRunInput): Promise<FinishRunResult> {
  const run = await getRun(deps.db, runId)
  if (failure) {
    // A step that was canceled while it made a job goes on until here.
    await closeRun(deps.db, runId)
    await endUndispatched(deps, runId, failure)
  }
  await endRun(deps.db, { runId, lastJobId: lastJobId(run), failure })
  const job = await firstJobOf(deps.db, runId)
  deps.logger.info({ runId, accountId: job?.accountId, code: failure?.code }, 'run ended')
  return { freedBy: job && (await hasWaitingJobs(deps.db, job.accountId)) ? job.id : null }
}

/** A run that was canceled between making a job and starting it leaves the job in no hands. */
async function endUndispatched(deps: Dependencies, runId: string, failure: Failure): Promise<void> {
  for (const { id } of await findOpenJobs(deps.db, runId)) {
    if (!(await deps.jobs.isOpen(id))) await endJob(deps, id, failure)
  }
}
