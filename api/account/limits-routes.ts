import { accountRoute } from '../http/route.ts'
import { accountBodyErrors, accountErrors, accountSecurity } from '../http/schemas.ts'
import { accountLimits, setAccountLimits } from './limits.ts'
import { limitsEnvelope, limitsRequest } from './limits-schema.ts'

/** `GET /v1/account/limits` */
export const getLimitsRoute = accountRoute({
  method: 'GET',
  url: '/v1/account/limits',
  schema: {
    operationId: 'getAccountLimits',
    tags: ['account'],
    summary: 'Get the monthly cap, the amount spent, and the other limits',
    security: accountSecurity,
    response: { ...accountErrors, 200: limitsEnvelope },
  },
  handler: async (request, { context, account }) => ({
    request_id: request.id,
    limits: await accountLimits(context, account),
  }),
})

/** `PUT /v1/account/limits` */
export const setLimitsRoute = accountRoute({
  method: 'PUT',
  url: '/v1/account/limits',
  schema: {
    operationId: 'setAccountLimits',
    tags: ['account'],
    summary: 'Set the monthly cap and its alerts',
    description:
      'A job is refused, or ends before its work begins, if it would raise the amount spent and held in its month above the cap. The owner of the account gets a mail when the cap is raised. API keys can raise it only with may_raise_limits.',
    security: accountSecurity,
    body: limitsRequest,
    response: { ...accountBodyErrors, 200: limitsEnvelope },
  },
  handler: async (request, { context, account }) => {
    const limits = await setAccountLimits(context, {
      ...account,
      requestId: request.id,
      wanted: request.body,
    })
    return { request_id: request.id, limits }
  },
})
