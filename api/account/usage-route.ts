import type { AccountOf, ApiContext, App } from '../http/context.ts'
import { accountErrors, accountSecurity } from '../http/error-schemas.ts'
import { accountUsage } from './usage.ts'
import { usageEnvelope, usageQuery } from './usage-schema.ts'

/** `GET /v1/usage` */
export function usageRoute(app: App, { db }: ApiContext, accountOf: AccountOf): void {
  app.route({
    method: 'GET',
    url: '/v1/usage',
    schema: {
      operationId: 'getUsage',
      tags: ['account'],
      summary: 'See what jobs used and cost, by day, endpoint and key',
      description:
        'Every job that has ended is counted once, on the UTC day that it was made. The amounts are those of the ledger.',
      security: accountSecurity,
      querystring: usageQuery,
      response: { ...accountErrors, 200: usageEnvelope },
    },
    handler: async (request) => ({
      request_id: request.id,
      ...(await accountUsage(db, accountOf(request).accountId, request.query)),
    }),
  })
}
