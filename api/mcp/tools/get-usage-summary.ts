import { strictFields } from '../../../src/core/input-problems.ts'
import { accountUsage } from '../../account/usage.ts'
import { usageQuery, usageSchema } from '../../account/usage-schema.ts'
import { defineTool, lookUp } from '../define-tool.ts'

export const getUsageSummaryTool = defineTool({
  name: 'get_usage_summary',
  title: 'Get the usage and cost of jobs',
  description:
    'Returns the number, length and cost of ended jobs, by day, endpoint and key. Without days, covers the current month. Needs a credential with the scope all.',
  auth: 'account',
  annotations: lookUp,
  input: strictFields(usageQuery.shape),
  output: usageSchema,
  run: async (query, { context, credential }) => {
    const usage = await accountUsage(context.db, credential.accountId, query)
    const { jobs_completed, amount_usd } = usage.total
    return {
      structured: usage,
      text: `From ${usage.from} to ${usage.to}: ${jobs_completed} completed jobs for ${amount_usd} USD. Next: svc.get_account_limits for the amount left.`,
    }
  },
})
