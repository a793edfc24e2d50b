import { z } from 'zod'
import { type AccountLimits, changeLimits, readLimits } from '../../src/billing/limits.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { fromUsd, type MicroUsd, toUsd } from '../../src/core/money.ts'
import type { AccountOf, ApiContext, App } from '../context.ts'
import { accountBodyErrors, accountErrors, accountSecurity, requestId } from '../schemas/errors.ts'

const percents = z.array(z.int().min(1).max(100)).max(10)

const limitsEnvelope = z
  .object({
    request_id: requestId,
    limits: z.object({
      month: z.string().describe('The present month in UTC, YYYY-MM: spent_usd and held_usd are its own.'),
      monthly_cap_usd: z
        .number()
        .nullable()
        .describe('The most that a month may cost, credits included. null: no cap.'),
      alert_percents: percents.describe('Parts of the cap at which the account is told, once a month each.'),
      spent_usd: z.number().describe('Charged for completed jobs, whether credits covered it or not.'),
      held_usd: z.number().describe('Held for jobs that have not ended.'),
      credits_left_usd: z.number().describe('Free credits that nothing holds.'),
      billing: z.enum(['inactive', 'active']).describe('inactive: jobs run on free credits only.'),
      concurrency: z.object({ running_jobs: z.int().describe('Jobs that run at once; more of them wait.') }),
      rates: z.object({ requests_per_minute: z.int() }),
    }),
  })
  .meta({ id: 'AccountLimits' })

const limitsRequest = z
  .object({
    monthly_cap_usd: z
      .number()
      .min(0)
      .max(1_000_000_000)
      .nullable()
      .describe('At most six decimals. A lower cap stops new jobs, not those that run. null takes the cap away.'),
    alert_percents: percents.optional().describe('Left out: as they are. []: no alerts.'),
  })
  .meta({ id: 'AccountLimitsRequest', examples: [{ monthly_cap_usd: 50, alert_percents: [50, 80, 100] }] })

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
    handler: async (request) =>
      envelope(context, request.id, await readLimits(context.db, accountOf(request).accountId)),
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
      const { monthly_cap_usd, alert_percents } = request.body
      const changed = await changeLimits(context.db, {
        accountId: accountOf(request).accountId,
        monthlyCapMicroUsd: monthly_cap_usd === null ? null : wholeMicroUsd(monthly_cap_usd),
        alertPercents: alert_percents,
        requestId: request.id,
      })
      return envelope(context, request.id, changed)
    },
  })
}

function wholeMicroUsd(usd: number): MicroUsd {
  try {
    return fromUsd(usd)
  } catch (cause) {
    throw new ServiceError('invalid_request', 'monthly_cap_usd: use at most six decimals.', { cause })
  }
}

function envelope({ config }: ApiContext, request_id: string, limits: AccountLimits): z.output<typeof limitsEnvelope> {
  const { account, month, captured, held } = limits
  const cap = account.monthlyCapMicroUsd
  return {
    request_id,
    limits: {
      month,
      monthly_cap_usd: cap === null ? null : toUsd(cap),
      alert_percents: account.alertPercents,
      spent_usd: toUsd(captured),
      held_usd: toUsd(held),
      credits_left_usd: toUsd(account.creditMicroUsd),
      billing: account.billingStatus,
      concurrency: { running_jobs: config.RUNNING_JOBS_PER_ACCOUNT },
      rates: { requests_per_minute: config.RATE_LIMIT_PER_ACCOUNT },
    },
  }
}
