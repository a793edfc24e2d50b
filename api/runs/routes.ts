import { chains, getChain } from '../../src/chains/chains.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { keyRoute, publicRoute } from '../http/route.ts'
import { anyErrors, bodyErrors, errorEnvelope, keyErrors } from '../http/schemas.ts'
import { createJobResponses } from '../jobs/create-route.ts'
import { idempotencyHeader } from '../jobs/request-schema.ts'
import { waitQuery } from '../jobs/schema.ts'
import { cancelRun } from './cancel.ts'
import { presentRun, presentWorkflow } from './present.ts'
import { pageOfRuns, readRun } from './read.ts'
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
    security: [],
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
    security: [{ ApiKey: [] }],
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
    security: [{ ApiKey: [] }],
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
  method: 'GET',
  url: '/v1/workflow-runs/:run_id',
  schema: {
    operationId: 'getWorkflowRun',
    tags: ['workflows'],
    summary: 'Get a run of a chain with its jobs, or wait for its end',
    description:
      'With wait, the response comes when the run ends or the seconds have passed. Repeat it until status is completed or failed.',
    security: [{ ApiKey: [] }],
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
    security: [{ ApiKey: [] }],
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
