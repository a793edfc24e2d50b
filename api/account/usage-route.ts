import { accountRoute } from '../http/route.ts'
import { accountErrors, accountSecurity } from '../http/schemas.ts'
import { accountUsage } from './usage.ts'
import { usageEnvelope, usageQuery } from './usage-schema.ts'

/** `GET /v1/usage` */
export const usageRoute = accountRoute({
  method: 'GET',
  url: '/v1/usage',
  schema: {
    operationId: 'getUsage',
    tags: ['account'],
    summary: 'Get the usage and cost of jobs, by day, endpoint and key',
    description:
      'Counts every ended job once, on the UTC day of its creation. The amounts are those of the ledger. What a run cost is its price_usd, in GET /v1/workflow-runs.',
    security: accountSecurity,
    querystring: usageQuery,
    response: { ...accountErrors, 200: usageEnvelope },
  },
  handler: async (request, { context: { db }, account }) => ({
    request_id: request.id,
    ...(await accountUsage(db, account.accountId, request.query)),
  }),
})
