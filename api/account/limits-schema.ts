import { z } from 'zod'
import { requestId } from '../http/error-schemas.ts'
import { amountUsd } from '../http/fields.ts'

const percents = z.array(z.int().min(1).max(100)).max(10)

export const limitsSchema = z.object({
  month: z.string().describe('The present month in UTC, YYYY-MM: spent_usd and held_usd are its own.'),
  monthly_cap_usd: z.number().nullable().describe('The most that a month may cost, credits included. null: no cap.'),
  alert_percents: percents.describe('Parts of the cap at which the account is told, once a month each.'),
  spent_usd: z.number().describe('Charged for completed jobs, whether credits covered it or not.'),
  held_usd: z.number().describe('Held for jobs that have not ended.'),
  credits_left_usd: z.number().describe('Free credits that nothing holds.'),
  billing: z.enum(['inactive', 'active']).describe('inactive: jobs run on free credits only.'),
  concurrency: z.object({ running_jobs: z.int().describe('Jobs that run at once; more of them wait.') }),
  rates: z.object({ requests_per_minute: z.int() }),
})

export const limitsEnvelope = z.object({ request_id: requestId, limits: limitsSchema }).meta({ id: 'AccountLimits' })

export const limitsRequest = z
  .object({
    monthly_cap_usd: amountUsd
      .nullable()
      .describe('At most six decimals. A lower cap stops new jobs, not those that run. null takes the cap away.'),
    alert_percents: percents.optional().describe('Left out: as they are. []: no alerts.'),
  })
  .meta({ id: 'AccountLimitsRequest', examples: [{ monthly_cap_usd: 50, alert_percents: [50, 80, 100] }] })
