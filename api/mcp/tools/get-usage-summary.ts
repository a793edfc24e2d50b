import type { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { counted } from '../../../src/core/text.ts'
import { accountUsage } from '../../account/usage.ts'
import { usageQuery, usageSchema } from '../../account/usage-schema.ts'
import { defineTool, lookUp } from '../define-tool.ts'

type UsageBody = z.output<typeof usageSchema>

export const getUsageSummaryTool = defineTool({
  name: 'get_usage_summary',
  title: 'Get the usage and cost of jobs',
  description:
    'Returns the number, length and cost of ended jobs, by day, endpoint and key. Without days, covers the current month. Needs the scope all.',
  auth: 'account',
  annotations: lookUp,
  input: strictFields(usageQuery.shape),
  output: usageSchema,
  run: async (query, { context, credential }) => {
    const usage = await accountUsage(context.db, credential.accountId, query)
    const { jobs_completed, amount_usd } = usage.total
    const lines = usage.usage.slice(0, listedRows).map(describeRow)
    const text = `From ${usage.from} to ${usage.to}: ${counted(jobs_completed, 'completed job')} for ${amount_usd} USD. Next: svc.get_account_limits for the amount left.`
    return { structured: usage, text: [...lines, text].join('\n') }
  },
})

/** The most rows in the text; the structured content has all. */
const listedRows = 50

function describeRow({ day, endpoint, key_id: keyId, jobs_completed, amount_usd }: UsageBody['usage'][number]): string {
  const names = [day, endpoint, keyId].filter((name) => name !== undefined && name !== null)
  return `- ${names.join(', ')}: ${counted(jobs_completed, 'completed job')}, ${amount_usd} USD`
}
