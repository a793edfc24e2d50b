import { ServiceError } from '../../src/core/errors.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint, PreviewEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { assertScope } from '../http/assert-scope.ts'
import { type Call, keyRoute } from '../http/route.ts'
import { answerCreate, createJobResponses } from './create-route.ts'
import { directRequest, idempotencyHeader } from './request-schema.ts'

/** `POST /v1/<group>/<name>` for every endpoint: creates a job and answers when it ends. */
export const directPathRoutes = endpoints.map((endpoint) =>
  endpoint.stage === 'live' ? liveRoute(endpoint) : previewRoute(endpoint),
)

function liveRoute(endpoint: LiveEndpoint) {
  return keyRoute({
    method: 'POST',
    url: `/v1/${endpoint.id}`,
    schema: {
      operationId: endpoint.id.replaceAll(/[/-](.)/g, (_, letter: string) => letter.toUpperCase()),
      tags: [endpoint.group],
      summary: endpoint.summary,
      description: `${endpoint.description} The response comes when the job ends, after at most 25 seconds. For longer media, create a job and poll it.`,
      security: [{ ApiKey: [] }],
      headers: idempotencyHeader,
      body: directRequest(endpoint),
      response: createJobResponses,
    },
    handler: async (request, call) => {
      const { settings, ...fields } = request.body
      const body = { ...fields, endpoint: endpoint.id, settings: { _run_on_worker: false, ...settings } }
      const { status, headers, envelope } = await answerCreate(call, request, body)
      return call.reply.code(status).headers(headers).send(envelope)
    },
  })
}

/** Previews are not in the OpenAPI document; the catalog lists them. */
function previewRoute({ id }: PreviewEndpoint) {
  const refuse = async (_request: object, { credential }: Call<'key'>): Promise<never> => {
    assertScope(credential, id)
    throw new ServiceError('endpoint_unavailable')
  }
  // Before the body is read: the response does not depend on it.
  return keyRoute({ method: 'POST', url: `/v1/${id}`, schema: { hide: true }, beforeBody: refuse, handler: refuse })
}
