import { abortOnDisconnect } from '../http/long-poll.ts'
import { optionalKeyRoute } from '../http/route.ts'
import { bodyErrors, errorEnvelope } from '../http/schemas.ts'
import { estimatePrice, presentEstimate } from './estimate.ts'
import { estimateEnvelope, estimateRequest } from './estimate-schema.ts'

/** `POST /v1/estimate`, with a key or without. */
export const estimateRoute = optionalKeyRoute({
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
  handler: async (request, { context, credential, reply }) => {
    const { id, body } = request
    const signal = abortOnDisconnect(reply)
    const estimate = await estimatePrice(context, { request: body, credential, signal })
    return { request_id: id, ...presentEstimate(estimate) }
  },
})
