import { type Chain, chains, getChain, missingSteps } from '../../src/chains/chains.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { toUsd } from '../../src/core/money.ts'
import { coversEndpoint } from '../../src/core/scopes.ts'
import type { Credential } from '../../src/store/keys.ts'
import { findRun, type RunWithJobs } from '../../src/store/runs.ts'
import type { ApiContext, App, CredentialOf } from '../context.ts'
import { createJob } from '../create-job.ts'
import { createRun, replayedRun } from '../create-run.ts'
import { idempotencyKeyOf } from '../idempotency-key.ts'
import { assertRunnable, planRun, type RunPlan } from '../plan-run.ts'
import { presentJob } from '../present-job.ts'
import { presentRun } from '../present-run.ts'
import { anyErrors, errorEnvelope, keyErrors } from '../schemas/errors.ts'
import { idempotencyHeader } from '../schemas/job-request.ts'
import {
  createRunEnvelope,
  runEnvelope,
  runParams,
  runRequest,
  workflowList,
  workflowParams,
} from '../schemas/workflow.ts'
import { createJobResponses } from './create-job.ts'

/** `GET /v1/workflows` */
export function listWorkflowsRoute(app: App): void {
  app.route({
    method: 'GET',
    url: '/v1/workflows',
    schema: {
      operationId: 'listWorkflows',
      tags: ['workflows'],
      summary: 'List the recommended chains of endpoints',
      security: [],
      response: { ...anyErrors, 200: workflowList },
    },
    handler: async (request) => ({ request_id: request.id, workflows: chains.map(describe) }),
  })
}

function describe(chain: Chain) {
  const { id, title, summary, steps, fills } = chain
  const missing = missingSteps(chain)
  const stageOf = (isMissing: boolean) => (isMissing ? ('preview' as const) : ('live' as const))
  return {
    ...{ id, title, summary, stage: stageOf(missing.length > 0), missing },
    steps: steps.map((endpoint) => ({
      endpoint,
      stage: stageOf(missing.includes(endpoint)),
      filled: [...(fills[endpoint]?.settings ?? [])],
    })),
  }
}

/** `POST /v1/workflows/{workflow_id}/runs` */
export function createRunRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  app.route({
    method: 'POST',
    url: '/v1/workflows/:workflow_id/runs',
    schema: {
      operationId: 'createWorkflowRun',
      tags: ['workflows'],
      summary: 'Plan a chain, queue its first job, or run all of it',
      description:
        'Every answer has the plan: a price for each step, and the most that all can cost. Without media_seconds the media is read for it, for at most 25 seconds. Steps that completed before another failed stay charged.',
      security: [{ ApiKey: [] }],
      params: workflowParams,
      headers: idempotencyHeader,
      body: runRequest,
      response: { ...createJobResponses, 200: createRunEnvelope, 202: createRunEnvelope, 422: errorEnvelope },
    },
    handler: async (request, reply) => {
      const { id: requestId, body, signal } = request
      const credential = credentialOf(request)
      const chain = getChain(request.params.workflow_id)
      assertRunnable(chain, credential)
      const routeOptions = { url: `/v1/workflows/${chain.id}/runs` }
      const idempotency = idempotencyKeyOf({ raw: request.raw, method: request.method, routeOptions, body })
      const isRun = body.mode === 'run_all'
      const earlier = isRun ? await replayedRun(context, credential, idempotency) : undefined
      if (earlier) {
        const run = await presentRun(context, await readRun(context, credential, earlier))
        return reply.code(202).header('idempotent-replayed', 'true').send({ request_id: requestId, run })
      }
      const plan = await planRun(context, { chain, request: body, credential, signal })
      const answer = { request_id: requestId, plan: presentPlan(plan) }
      if (body.mode === 'plan') return reply.code(200).send(answer)
      if (isRun) {
        const runId = await createRun(context, { chain, request: body, plan, credential, requestId, idempotency })
        const run = await presentRun(context, await readRun(context, credential, runId))
        return reply.code(202).send({ ...answer, run })
      }
      const [endpoint = ''] = chain.steps
      const { media_url, start, end, settings } = body
      const first = { endpoint, media_url, start, end, settings: { ...settings[endpoint] } }
      const { job } = await createJob(context, { credential, requestId, request: first, idempotency })
      return reply.code(202).send({ ...answer, job: await presentJob(context, job) })
    },
  })
}

function presentPlan({ mediaSeconds, steps, maxMicroUsd, warnings }: RunPlan) {
  return {
    media_seconds: mediaSeconds,
    steps: steps.map((step) => ({ endpoint: step.endpoint, max_price_usd: toUsd(step.maxMicroUsd) })),
    max_price_usd: toUsd(maxMicroUsd),
    warnings: [...warnings],
  }
}

/** `GET /v1/workflow-runs/{run_id}` */
export function getRunRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  app.route({
    method: 'GET',
    url: '/v1/workflow-runs/:run_id',
    schema: {
      operationId: 'getWorkflowRun',
      tags: ['workflows'],
      summary: 'Get a run of a chain, with its jobs',
      security: [{ ApiKey: [] }],
      params: runParams,
      response: { ...keyErrors, 200: runEnvelope, 404: errorEnvelope },
    },
    handler: async (request, reply) => {
      const run = await readRun(context, credentialOf(request), request.params.run_id)
      if (!run.endedAt) reply.header('retry-after', 1)
      return { request_id: request.id, run: await presentRun(context, run) }
    },
  })
}

/** `not_found` where the account has no such run, and where the credential does not cover each of its steps. */
async function readRun({ db }: ApiContext, { accountId, scope }: Credential, runId: string): Promise<RunWithJobs> {
  const run = isId('run', runId) ? await findRun(db, accountId, runId) : null
  if (run && getChain(run.chain).steps.every((id) => coversEndpoint(scope, id))) return run
  throw new ServiceError('not_found', 'There is no such run in this account. Check the run id.')
}
