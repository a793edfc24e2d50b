import { z } from 'zod'
import { accountUsage } from '../../account/usage.ts'
import { usageQuery, usageSchema } from '../../account/usage-schema.ts'
import { defineTool } from '../define-tool.ts'
import { lookUp } from './annotations.ts'

export const getUsageSummary = defineTool({
  name: 'get_usage_summary',
  title: 'See what jobs used and cost',
  description:
    'Sums up the jobs that have ended, by day, endpoint and key, with what they cost. The present month when no days are given. Needs a credential of the scope all.',
  auth: 'account',
  annotations: lookUp,
  input: z.strictObject(usageQuery.shape),
  output: usageSchema,
  run: async (query, { context, credential }) => {
    const usage = await accountUsage(context.db, credential.accountId, query)
    const { jobs_completed, amount_usd } = usage.total
    return {
      structured: usage,
      text: `From ${usage.from} to ${usage.to}: ${jobs_completed} completed jobs for ${amount_usd} USD. What is left: svc.get_account_limits.`,
    }
  },
})
