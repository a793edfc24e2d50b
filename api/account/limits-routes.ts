import type { AccountOf, ApiContext, App } from '../http/context.ts'
import { accountBodyErrors, accountErrors, accountSecurity } from '../http/error-schemas.ts'
import { accountLimits, setAccountLimits } from './limits.ts'
import { limitsEnvelope, limitsRequest } from './limits-schema.ts'

/** `GET /v1/account/limits` */
export function getLimitsRoute(app: App, context: ApiContext, accountOf: AccountOf): void {
  app.route({
    method: 'GET',
    url: '/v1/account/limits',
    schema: {
      operationId: 'getAccountLimits',
      tags: ['account'],
      summary: 'Get the spend cap, what is spent of it, and the other limits',
      security: accountSecurity,
      response: { ...accountErrors, 200: limitsEnvelope },
    },
    handler: async (request) => ({
      request_id: request.id,
      limits: await accountLimits(context, accountOf(request).accountId),
    }),
  })
}

/** `PUT /v1/account/limits` */
export function setLimitsRoute(app: App, context: ApiContext, accountOf: AccountOf): void {
  app.route({
    method: 'PUT',
    url: '/v1/account/limits',
    schema: {
      operationId: 'setAccountLimits',
      tags: ['account'],
      summary: 'Set the monthly spend cap and its alerts',
      description:
        'No job is accepted, and none begins its work, where what is spent and held in its month would pass the cap. Whoever owns the account is told when it is raised.',
      security: accountSecurity,
      body: limitsRequest,
      response: { ...accountBodyErrors, 200: limitsEnvelope },
    },
    handler: async (request) => {
      const { accountId } = accountOf(request)
      const limits = await setAccountLimits(context, { accountId, requestId: request.id, wanted: request.body })
      return { request_id: request.id, limits }
    },
  })
}
