import { acceptKey } from '../http/authenticate.ts'
import { abortOnDisconnect } from '../http/client-disconnect.ts'
import type { ApiContext, App } from '../http/context.ts'
import { bodyErrors, errorEnvelope } from '../http/error-schemas.ts'
import { limitAccounts } from '../http/rate-limits.ts'
import { estimatePrice, presentEstimate } from './estimate.ts'
import { estimateEnvelope, estimateRequest } from './estimate-schema.ts'

/** `POST /v1/estimate`, with or without a key. `app` must have no other route. */
export function estimateRoute(app: App, context: ApiContext): void {
  const credentialOf = acceptKey(app, context)
  limitAccounts(app, context, credentialOf)
  app.route({
    method: 'POST',
    url: '/v1/estimate',
    schema: {
      operationId: 'estimatePrice',
      tags: ['jobs'],
      summary: 'Estimate the price of a job before it is created',
      description:
        'With media_seconds, no media is read and no key is needed. With a key and a media_url, the service reads the media as the job would, for at most 25 seconds, and returns the estimated price that the job would have. No money is held.',
      security: [{}, { ApiKey: [] }],
      body: estimateRequest,
      response: {
        ...bodyErrors,
        200: estimateEnvelope,
        403: errorEnvelope,
        404: errorEnvelope,
        409: errorEnvelope,
        422: errorEnvelope,
        501: errorEnvelope,
      },
    },
    handler: async (request, reply) => {
      const { id, body } = request
      const signal = abortOnDisconnect(reply)
      const estimate = await estimatePrice(context, { request: body, credential: credentialOf(request), signal })
      return { request_id: id, ...presentEstimate(estimate) }
    },
  })
}
