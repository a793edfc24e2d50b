import { z } from 'zod'
import { readUsage, totalOf, type UsageGroup, type UsageRow, usageGroups } from '../../src/billing/usage.ts'
import { invalidRequest } from '../../src/core/errors.ts'
import { toUsd } from '../../src/core/money.ts'
import { dayMs } from '../../src/core/time-code.ts'
import type { Database } from '../../src/db/database.ts'
import { accountRoute, keyErrors, response } from '../http/route.ts'

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
      key_name: z.string().optional().describe('The name of the key, or of the batch or directive that its id names.'),
      ...counts,
    }),
  ),
  total: z.object(counts),
})

const usageEnvelope = response('Usage', { ...usageSchema.shape })

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

/** `GET /v1/usage` */
export const usageRoute = accountRoute({
  method: 'GET',
  url: '/v1/usage',
  schema: {
    operationId: 'getUsage',
    tags: ['account'],
    summary: 'Get the usage and cost of jobs, by day, endpoint and key',
    description:
      'Counts every ended job once, on the UTC day of its creation. The amounts are those of the ledger. What a run cost is its price_usd, in GET /v1/workflow-runs. Above 10,000 rows, batches count for the keys that created them.',
    querystring: usageQuery,
    response: { ...keyErrors, 200: usageEnvelope },
  },
  handler: async (request, { context: { db }, account }) => ({
    request_id: request.id,
    ...(await accountUsage(db, account.accountId, request.query)),
  }),
})

const maxDays = 366
const maxRows = 10_000

/** The usage and cost of an account's jobs, as in responses. Throws `invalid_request` for too many days or rows. */
export async function accountUsage(
  db: Database,
  accountId: string,
  query: z.output<typeof usageQuery>,
): Promise<z.output<typeof usageSchema>> {
  const { to = new Date().toISOString().slice(0, 10), from = `${to.slice(0, 7)}-01`, group_by } = query
  checkDays(from, to)
  const groupBy = usageGroups.filter((group) => group_by.split(',').includes(group))
  const read = (foldsBatches: boolean) =>
    readUsage(db, { accountId, from, to, groupBy, limit: maxRows + 1, foldsBatches })
  const each = await read(false)
  const rows = each.length > maxRows ? await read(true) : each
  if (rows.length > maxRows)
    throw invalidRequest(`The result has more than ${maxRows} rows. Request fewer days or groups.`)
  const usage = rows.map((row) => ({ ...namesOf(row, groupBy), ...presentUsage(row) }))
  return { from, to, usage, total: presentUsage(totalOf(rows)) }
}

function checkDays(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) throw invalidRequest('from is after to. Send an earlier from.')
  if (days > maxDays) throw invalidRequest(`from and to span ${days} days. Request at most ${maxDays}.`)
}

function namesOf({ day, endpoint, keyId, keyName }: UsageRow, groupBy: readonly UsageGroup[]) {
  return {
    ...(day === null ? {} : { day }),
    ...(endpoint === null ? {} : { endpoint }),
    ...(groupBy.includes('key') ? { key_id: keyId } : {}),
    ...(keyName === null ? {} : { key_name: keyName }),
  }
}

function presentUsage({ jobsCompleted, jobsFailed, billedMilliseconds, amountMicroUsd }: ReturnType<typeof totalOf>) {
  return {
    jobs_completed: Number(jobsCompleted),
    jobs_failed: Number(jobsFailed),
    billed_seconds: Number(billedMilliseconds) / 1000,
    amount_usd: toUsd(amountMicroUsd),
  }
}
