import { z } from 'zod'
import { usageGroups } from '../../src/store/usage.ts'
import { requestId } from '../http/schemas.ts'

const counts = {
  jobs_completed: z.int(),
  jobs_failed: z.int().describe('Includes canceled jobs. They cost nothing.'),
  billed_seconds: z.number().describe('The lengths that the prices were computed from.'),
  amount_usd: z.number(),
}

export const usageSchema = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  usage: z.array(
    z.object({
      day: z.iso.date().optional(),
      endpoint: z.string().optional(),
      key_id: z.string().nullable().optional().describe('null for jobs that were created without a key.'),
      ...counts,
    }),
  ),
  total: z.object(counts),
})

export const usageEnvelope = z.object({ request_id: requestId, ...usageSchema.shape }).meta({ id: 'Usage' })

/** PostgreSQL has no year 0. */
const day = z.iso.date().refine((text) => !text.startsWith('0000'), 'expected a year from 0001')

const groupForm = `expected one or more of ${usageGroups.join(', ')}, separated by commas`

export const usageQuery = z.object({
  from: day.optional().describe('First UTC day. When left out, the first day of the month of to.'),
  to: day.optional().describe('Last UTC day. When left out, today.'),
  group_by: z
    .string()
    .regex(new RegExp(`^(${usageGroups.join('|')})(,(${usageGroups.join('|')}))*$`), groupForm)
    .default(usageGroups.join(','))
    .describe('One or more of day, endpoint and key, separated by commas.'),
})
