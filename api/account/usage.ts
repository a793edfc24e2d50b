import type { z } from 'zod'
import { dayMs } from '../../src/core/durations.ts'
import { invalidRequest } from '../../src/core/errors.ts'
import { toUsd } from '../../src/core/money.ts'
import type { Database } from '../../src/store/database.ts'
import { readUsage, totalOf, type UsageGroup, type UsageRow, usageGroups } from '../../src/store/usage.ts'
import type { usageQuery, usageSchema } from './usage-schema.ts'

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
  const rows = await readUsage(db, { accountId, from, to, groupBy, limit: maxRows + 1 })
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

function namesOf({ day, endpoint, keyId }: UsageRow, groupBy: readonly UsageGroup[]) {
  return {
    ...(day === null ? {} : { day }),
    ...(endpoint === null ? {} : { endpoint }),
    ...(groupBy.includes('key') ? { key_id: keyId } : {}),
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
