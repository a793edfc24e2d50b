import type { Credential } from '../../src/accounts/credentials.ts'
import { chains, getChain } from '../../src/chains/chains.ts'
import { lastJobId } from '../../src/chains/step-request.ts'
import { deleteRun } from '../../src/jobs/delete.ts'
import { eraseJob, eraseRun } from '../../src/jobs/erase.ts'
import { hasEnded } from '../../src/jobs/job-rows.ts'
import { closeRun, findOpenJobs, type RunWithJobs, type RunWithoutResults } from '../../src/jobs/run-rows.ts'
import { canceledRun, deliverCancellation, endRun } from '../../src/jobs/start-and-end.ts'
import { answerDeletion, deletion } from '../http/deletion.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { anyErrors, bodyErrors, errorEnvelope, keyErrors, keyRoute, publicRoute } from '../http/route.ts'
import { type CancelContext, cancelJob } from '../jobs/change.ts'
import { createJobResponses } from '../jobs/create.ts'
import { waitQuery } from '../jobs/schema.ts'
import { idempotencyHeader } from '../jobs/validate.ts'
import { addShownResults, findOwnRun, noSuchRun, pageOfRuns, presentRun, presentWorkflow, readRun } from './read.ts'
import {
  createRunEnvelope,
  runEnvelope,
  runFilter,
  runPage,
  runParams,
  runRequest,
  workflowList,
  workflowParams,
} from './schema.ts'
import { runWorkflow } from './start.ts'

/** `GET /v1/workflows` */
export const listWorkflowsRoute = publicRoute({
  method: 'GET',
  url: '/v1/workflows',
  schema: {
    operationId: 'listWorkflows',
    tags: ['workflows'],
    summary: 'List the recommended chains of endpoints',
    response: { ...anyErrors, 200: workflowList },
  },
  handler: async (request, { context: { models } }) => ({
    request_id: request.id,
    workflows: chains.map((chain) => presentWorkflow(chain, models)),
  }),
})

/** `POST /v1/workflows/{workflow_id}/runs` */
export const createRunRoute = keyRoute({
  method: 'POST',
  url: '/v1/workflows/:workflow_id/runs',
  schema: {
    operationId: 'createWorkflowRun',
    tags: ['workflows'],
    summary: 'Plan a chain, queue its first job, or run all of it',
    description:
      'The response has the plan, with a maximum price for each step and for all of them, unless it repeats an earlier request. Without media_seconds, the service reads the media for it, for at most 25 seconds. If a step fails, the steps that completed before it stay charged. With wait, the request answers when the run ends or the seconds have passed.',
    params: workflowParams,
    headers: idempotencyHeader,
    querystring: waitQuery,
    body: runRequest,
    response: { ...createJobResponses, 200: createRunEnvelope, 202: createRunEnvelope, 422: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { id: requestId, body } = request
    const chain = getChain(request.params.workflow_id)
    const routeOptions = { url: `/v1/workflows/${chain.id}/runs` }
    const idempotency = idempotencyKeyOf({ raw: request.raw, method: request.method, routeOptions, body })
    const wait = { waitSeconds: request.query.wait, signal: abortOnDisconnect(reply) }
    const input = { chain, request: body, credential, requestId, idempotency, ...wait }
    const { isRepeat, hasEnded, answer } = await runWorkflow(context, input)
    if (isRepeat) reply.header('idempotent-replayed', 'true')
    if (!hasEnded) reply.header('retry-after', 1)
    const ids = { job_id: answer.job?.id, run_id: answer.run?.id }
    return reply.code(hasEnded ? 200 : 202).send({ request_id: requestId, ...ids, ...answer })
  },
})

/** `GET /v1/workflow-runs` */
export const listRunsRoute = keyRoute({
  method: 'GET',
  url: '/v1/workflow-runs',
  schema: {
    operationId: 'listWorkflowRuns',
    tags: ['workflows'],
    summary: 'List runs of chains, newest first',
    description: 'A key lists the runs of which it covers every step.',
    querystring: runFilter,
    response: { ...keyErrors, 200: runPage },
  },
  handler: async (request, { context, credential }) => ({
    request_id: request.id,
    ...(await pageOfRuns(context, credential, request.query)),
  }),
})

/** `GET /v1/workflow-runs/{run_id}` */
export const getRunRoute = keyRoute({
  takesConnectors: true,
  method: 'GET',
  url: '/v1/workflow-runs/:run_id',
  schema: {
    operationId: 'getWorkflowRun',
    tags: ['workflows'],
    summary: 'Get a run of a chain with its jobs, or wait for its end',
    description:
      'With wait, the response comes when the run ends or the seconds have passed. Repeat it until status is completed or failed.',
    params: runParams,
    querystring: waitQuery,
    response: { ...keyErrors, 200: runEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { params, query } = request
    const signal = abortOnDisconnect(reply)
    const input = { runId: params.run_id, waitSeconds: query.wait, signal }
    const run = await readRun(context, { reader: credential, ...input })
    if (!run.endedAt) reply.header('retry-after', 1)
    return { request_id: request.id, run_id: run.id, run: await presentRun(context, run) }
  },
})

/** `POST /v1/workflow-runs/{run_id}/cancel` */
export const cancelRunRoute = keyRoute({
  method: 'POST',
  url: '/v1/workflow-runs/:run_id/cancel',
  schema: {
    operationId: 'cancelWorkflowRun',
    tags: ['workflows'],
    summary: 'Cancel a run of a chain',
    description:
      'The run has status_detail canceling until it ends. Its open job ends as failed with the code canceled, and costs nothing. No other job begins. Completed steps stay charged. A run that has ended does not change.',
    params: runParams,
    response: { ...bodyErrors, 200: runEnvelope, 202: runEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const run = await cancelRun(context, credential, request.params.run_id)
    if (!run.endedAt) reply.header('retry-after', 1)
    return reply
      .code(run.endedAt ? 200 : 202)
      .send({ request_id: request.id, run_id: run.id, run: await presentRun(context, run) })
  },
})

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
async function cancelWorkflow(context: CancelContext, run: RunWithoutResults): Promise<void> {
  const { id: runId, accountId } = run
  if (await context.jobs.cancel(runId)) return
  if ((await findOpenJobs(context.db, runId)).length > 0) return
  await endRun(context, { runId, accountId, lastJobId: lastJobId(run), failure: canceledRun })
}

/** `DELETE /v1/workflow-runs/{run_id}` */
export const deleteRunRoute = keyRoute({
  method: 'DELETE',
  url: '/v1/workflow-runs/:run_id',
  schema: {
    operationId: 'deleteWorkflowRun',
    tags: ['workflows'],
    summary: 'Delete a run with its jobs, their results and their files',
    description:
      'From the response on, the run, its jobs and their output URLs answer 404. An open run is canceled first. Completed steps stay charged and count in the usage. Refused with 409 while an open job outside the run reads an output of it.',
    params: runParams,
    response: { ...keyErrors, 200: deletion, 202: deletion, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const run = await findOwnRun(context, credential, request.params.run_id)
    const { id, accountId } = run
    if (!(await context.createsByAccount(accountId, () => deleteRun(context.db, accountId, id)))) throw noSuchRun()
    const { code, body } = await answerDeletion(context, { requestId: request.id, id }, async () => {
      for (const { id: jobId } of run.jobs.filter((job) => !hasEnded(job))) await deliverCancellation(context, jobId)
      if (!run.endedAt) await cancelWorkflow(context, run)
      for (const { id: jobId } of run.jobs) await eraseJob(context, jobId)
      return eraseRun(context, id)
    })
    return reply.code(code).send(body)
  },
})
