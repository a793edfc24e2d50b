import { ServiceError } from '../core/errors.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Transaction } from '../store/database.ts'

interface Spending {
  readonly limit: MicroUsd
  /** Held or captured. */
  readonly spent: MicroUsd
}

/** Throws `price_limit_reached` if the job's run would exceed its limit. The caller holds the account's row lock. */
export async function assertWithinRun(tx: Transaction, jobId: string, amountMicroUsd: MicroUsd): Promise<void> {
  const [run] = await tx.$queryRaw<Spending[]>`
    SELECT limit_micro_usd AS "limit", coalesce(sum(
      CASE kind WHEN 'hold' THEN 1 WHEN 'release' THEN -1 ELSE 0 END
      * (ledger_entries.credit_micro_usd + ledger_entries.billable_micro_usd)
    ), 0)::bigint AS spent
    FROM workflow_runs
      JOIN jobs AS steps ON steps.run_id = workflow_runs.id
      LEFT JOIN ledger_entries ON ledger_entries.job_id = steps.id
    WHERE workflow_runs.id = (SELECT run_id FROM jobs WHERE id = ${jobId})
    GROUP BY workflow_runs.id`
  if (!run || run.spent + amountMicroUsd <= run.limit) return
  throw new ServiceError(
    'price_limit_reached',
    'This step would pass the price limit of its run. Start the run again with a higher max_price_usd, or without media_seconds.',
  )
}
