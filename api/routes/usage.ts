import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { toUsd } from '../../src/core/money.ts'
import { readUsage, totalOf, type UsageGroup, type UsageRow, usageGroups } from '../../src/store/usage.ts'
import type { AccountOf, ApiContext, App } from '../context.ts'
import { accountErrors, accountSecurity, requestId } from '../schemas/errors.ts'

const longestDays = 366
const mostRows = 10_000

const counts = {
  jobs_completed: z.int(),
  jobs_failed: z.int().describe('Canceled ones too. They cost nothing.'),
  billed_seconds: z.number().describe('What the prices were taken from.'),
  amount_usd: z.number(),
}

const usageEnvelope = z
  .object({
    request_id: requestId,
    from: z.iso.date(),
    to: z.iso.date(),
    usage: z.array(
      z.object({
        day: z.iso.date().optional(),
        endpoint: z.string().optional(),
        key_id: z.string().nullable().optional().describe('null for jobs that no key made.'),
        ...counts,
      }),
    ),
    total: z.object(counts),
  })
  .meta({ id: 'Usage' })

/** The calendar of the database has no year 0. */
const day = z.iso.date().refine((text) => !text.startsWith('0000'), 'expected a year from 0001')

const groupForm = `expected one or several of ${usageGroups.join(', ')}, with commas between them`

const query = z.object({
  from: day.optional().describe('First UTC day. The first of the month of to when left out.'),
  to: day.optional().describe('Last UTC day. Today when left out.'),
  group_by: z
    .string()
    .regex(new RegExp(`^(${usageGroups.join('|')})(,(${usageGroups.join('|')}))*$`), groupForm)
    .default(usageGroups.join(','))
    .describe('One or several of day, endpoint and key, with commas between them.'),
})

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
      querystring: query,
      response: { ...accountErrors, 200: usageEnvelope },
    },
    handler: async (request) => {
      const { accountId } = accountOf(request)
      const { to = new Date().toISOString().slice(0, 10), from = `${to.slice(0, 7)}-01`, group_by } = request.query
      checkDays(from, to)
      const groupBy = usageGroups.filter((group) => group_by.split(',').includes(group))
      const rows = await readUsage(db, { accountId, from, to, groupBy, limit: mostRows + 1 })
      if (rows.length > mostRows) throw invalid(`There are more than ${mostRows} rows. Ask for fewer days or groups.`)
      const usage = rows.map((row) => ({ ...namesOf(row, groupBy), ...present(row) }))
      return { request_id: request.id, from, to, usage, total: present(totalOf(rows)) }
    },
  })
}

function checkDays(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  if (days < 1) throw invalid('from lies after to. Send an earlier one.')
  if (days > longestDays) throw invalid(`from and to span ${days} days. Ask for at most ${longestDays}.`)
}

function namesOf({ day, endpoint, keyId }: UsageRow, groupBy: readonly UsageGroup[]) {
  return {
    ...(day === null ? {} : { day }),
    ...(endpoint === null ? {} : { endpoint }),
    ...(groupBy.includes('key') ? { key_id: keyId } : {}),
  }
}

function present({ jobsCompleted, jobsFailed, billedMilliseconds, amountMicroUsd }: ReturnType<typeof totalOf>) {
  return {
    jobs_completed: Number(jobsCompleted),
    jobs_failed: Number(jobsFailed),
    billed_seconds: Number(billedMilliseconds) / 1000,
    amount_usd: toUsd(amountMicroUsd),
  }
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_request', message)
}
