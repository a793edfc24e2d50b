import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint, PreviewEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { assertScope } from '../http/authenticate.ts'
import type { ApiContext, App, CredentialOf } from '../http/context.ts'
import { directRequest, idempotencyHeader } from './request-schema.ts'
import { answerCreate, createJobResponses } from './routes.ts'

/** `POST /v1/<group>/<name>` for every endpoint: creates a job and answers when it ends. */
export function directPathRoutes(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  for (const endpoint of endpoints) {
    if (endpoint.stage === 'live') liveRoute(app, context, credentialOf, endpoint)
    else previewRoute(app, credentialOf, endpoint)
  }
}

function liveRoute(app: App, context: ApiContext, credentialOf: CredentialOf, endpoint: LiveEndpoint): void {
  app.route({
    method: 'POST',
    url: `/v1/${endpoint.id}`,
    schema: {
      operationId: endpoint.id.replaceAll(/[/-](.)/g, (_, letter: string) => letter.toUpperCase()),
      tags: [endpoint.group],
      summary: endpoint.summary,
      description: `${endpoint.description} The request answers when the job ends, after at most 25 seconds. For longer media, create a job and poll it.`,
      security: [{ ApiKey: [] }],
      headers: idempotencyHeader,
      body: directRequest(endpoint),
      response: createJobResponses,
    },
    handler: async (request, reply) => {
      const { settings, ...fields } = request.body
      const body = { ...fields, endpoint: endpoint.id, settings: { _run_on_worker: false, ...settings } }
      const { status, headers, envelope } = await answerCreate(context, credentialOf, request, reply, body)
      return reply.code(status).headers(headers).send(envelope)
    },
  })
}

/** Previews are not in the OpenAPI document; the catalog lists them. */
function previewRoute(app: App, credentialOf: CredentialOf, { id }: PreviewEndpoint): void {
  const refuse = async (request: FastifyRequest): Promise<never> => {
    assertScope(credentialOf(request), id)
    throw new ServiceError('endpoint_unavailable')
  }
  app.route({
    method: 'POST',
    url: `/v1/${id}`,
    schema: { hide: true },
    // Before the body is read: the response does not depend on it.
    preParsing: refuse,
    handler: refuse,
  })
}
