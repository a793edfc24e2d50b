import { endpoints } from '../../src/endpoints/catalog.ts'
import { keyRoute } from '../http/route.ts'
import { answerCreate, createJobResponses } from './create-route.ts'
import { directRequest, idempotencyHeader } from './request-schema.ts'

/** `POST /v1/<group>/<name>` for every endpoint: creates a job and answers when it ends. */
export const directPathRoutes = endpoints.map((endpoint) =>
  keyRoute({
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
  }),
)
