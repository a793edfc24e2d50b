import { lastJobId } from '../../src/chains/step-request.ts'
import { canceledRun, endRun } from '../../src/jobs/end-run.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { closeRun, findOpenJobs, type RunWithJobs, type RunWithoutResults } from '../../src/store/runs.ts'
import { type CancelContext, cancelJob } from '../jobs/cancel.ts'
import { addShownResults, findOwnRun } from './read.ts'

/** Closes the run, so that it creates no more jobs, and cancels it with its open job. An ended run does not change. Throws like `findOwnRun`. */
export async function cancelRun(context: CancelContext, credential: Credential, runId: string): Promise<RunWithJobs> {
  const { db, logger } = context
  const run = await findOwnRun(context, credential, runId)
  if (run.endedAt) return addShownResults(context, run)
  await closeRun(db, runId)
  for (const { id } of await findOpenJobs(db, runId)) await cancelJob(context, credential, id)
  await cancelWorkflow(context, run).catch((error: unknown) =>
    logger.warn({ runId, accountId: run.accountId, err: error }, 'canceled run not ended yet'),
  )
  return addShownResults(context, await findOwnRun(context, credential, runId))
}

/** Cancels the run's workflow, which acts between two jobs. A run that Temporal does not have ends here. */
export async function cancelWorkflow(context: CancelContext, run: RunWithoutResults): Promise<void> {
  const { id: runId, accountId } = run
  if (await context.jobs.cancel(runId)) return
  if ((await findOpenJobs(context.db, runId)).length > 0) return
  await endRun(context, { runId, accountId, lastJobId: lastJobId(run), failure: canceledRun })
}
