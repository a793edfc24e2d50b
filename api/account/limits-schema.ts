import { z } from 'zod'
import { strictFields } from '../../src/core/input-problems.ts'
import { amountUsd, requestId } from '../http/schemas.ts'

const percents = z.array(z.int().min(1).max(100)).max(10)

export const limitsSchema = z.object({
  month: z.string().describe('The current month in UTC, YYYY-MM. spent_usd and held_usd are for this month.'),
  monthly_cap_usd: z
    .number()
    .nullable()
    .describe('The maximum that a month can cost, including credits. null: no cap.'),
  alert_percents: percents.describe('Percentages of the cap that cause an alert, each once a month.'),
  spent_usd: z.number().describe('Charged for completed jobs, including amounts that credits covered.'),
  held_usd: z.number().describe('Held for jobs that have not ended.'),
  credits_left_usd: z.number().describe('Free credits that are not held.'),
  billing: z.enum(['inactive', 'active']).describe('inactive: jobs run on free credits only.'),
  takes_payments: z.boolean().describe('Whether billing can become active: a billing link leads there.'),
  concurrency: z.object({
    running_jobs: z
      .int()
      .describe('Jobs that run simultaneously; further jobs wait. The limit is lower while billing is inactive.'),
  }),
  storage: z
    .object({
      stored_bytes: z
        .int()
        .describe(
          'Of uploads, each of which counts at least 64 KiB, also before it arrives. Deleting an upload frees its bytes once it is erased.',
        ),
      max_bytes: z.int().describe('Uploads beyond it are refused. The limit is lower while billing is inactive.'),
    })
    .describe('Uploads. Outputs of jobs do not count.'),
  rates: z.object({ requests_per_minute: z.int() }),
  key: z
    .object({
      monthly_cap_usd: z.number().nullable(),
      may_raise_limits: z.boolean(),
      spent_usd: z.number(),
      held_usd: z.number(),
    })
    .optional()
    .describe(
      'The limits of the key or connector of this request, whose amounts include those of the keys that it created.',
    ),
})

export const limitsEnvelope = z.object({ request_id: requestId, limits: limitsSchema }).meta({ id: 'AccountLimits' })

export const limitsRequest = strictFields({
  monthly_cap_usd: amountUsd
    .nullable()
    .describe('At most six decimals. A lower cap stops new jobs, not running ones. null removes the cap.'),
  alert_percents: percents.optional().describe('Left out: unchanged. []: no alerts.'),
}).meta({ id: 'AccountLimitsRequest', examples: [{ monthly_cap_usd: 50, alert_percents: [50, 80, 100] }] })
