import { counted } from '../core/text.ts'
import type { Database, Transaction } from '../db/database.ts'

export interface LedgerFinding {
  readonly rule: string
  /** The account, job or entry that breaks the rule. */
  readonly id: string
}

/**
 * Computes every counter of accounts, months, days and keys from the entries again, and matches each entry with the job or step that
 * wrote it, in one snapshot. No finding means that the ledger and the rows agree completely.
 */
export async function checkLedger(db: Database | Transaction): Promise<LedgerFinding[]> {
  return db.$queryRaw<LedgerFinding[]>`
    WITH RECURSIVE payers AS (
      SELECT id AS key_id, id AS payer_id, maker_id AS next_id FROM api_keys
      UNION ALL SELECT payers.key_id, api_keys.id, api_keys.maker_id FROM payers JOIN api_keys ON api_keys.id = next_id
    ), key_sums AS (
      SELECT payer_id AS key_id, month,
        sum(CASE WHEN kind = 'hold' THEN 1 ELSE -1 END * (credit_micro_usd + billable_micro_usd)) AS held,
        sum(CASE WHEN kind = 'capture' THEN credit_micro_usd + billable_micro_usd ELSE 0 END) AS captured
      FROM ledger_entries JOIN jobs ON jobs.id = job_id JOIN payers ON payers.key_id = api_key_id
      WHERE kind IN ('hold', 'release', 'capture') GROUP BY payer_id, month
    ), sums AS (
      SELECT account_id,
        sum(CASE WHEN kind IN ('grant', 'adjustment', 'release') THEN credit_micro_usd
                 WHEN kind = 'hold' THEN -credit_micro_usd ELSE 0 END) AS credit,
        sum(CASE WHEN kind = 'hold' THEN credit_micro_usd + billable_micro_usd
                 WHEN kind IN ('release', 'capture') THEN -credit_micro_usd - billable_micro_usd ELSE 0 END) AS held,
        sum(CASE WHEN kind IN ('adjustment', 'capture') THEN billable_micro_usd
                 WHEN kind = 'payment' THEN -billable_micro_usd ELSE 0 END) AS billed
      FROM ledger_entries GROUP BY account_id
    ), month_sums AS (
      SELECT account_id, month,
        sum(CASE WHEN kind = 'hold' THEN credit_micro_usd ELSE -credit_micro_usd END) AS held_credit,
        sum(CASE WHEN kind = 'hold' THEN billable_micro_usd ELSE -billable_micro_usd END) AS held_billable,
        sum(CASE WHEN kind = 'capture' THEN credit_micro_usd ELSE 0 END) AS captured_credit,
        sum(CASE WHEN kind = 'capture' THEN billable_micro_usd ELSE 0 END) AS captured_billable
      FROM ledger_entries WHERE kind IN ('hold', 'release', 'capture') GROUP BY account_id, month
    ), day_sums AS (
      SELECT ledger_entries.account_id, usage_day(jobs.created_at, month) AS day, endpoint, coalesce(api_key_id, '') AS key_id,
        count(*) FILTER (WHERE kind = 'capture') AS completed, count(*) FILTER (WHERE kind = 'release') AS failed,
        coalesce(sum(billed_milliseconds) FILTER (WHERE kind = 'capture'), 0) AS billed,
        coalesce(sum(credit_micro_usd + billable_micro_usd) FILTER (WHERE kind = 'capture'), 0) AS amount
      FROM ledger_entries JOIN jobs ON jobs.id = ends_hold_of GROUP BY 1, 2, 3, 4
    ), per_job AS (
      SELECT job_id,
        count(*) FILTER (WHERE ends_hold_of = job_id) AS ends,
        count(*) FILTER (WHERE kind = 'hold' AND step = 'create') AS holds,
        count(*) FILTER (WHERE kind = 'capture') AS captures,
        sum(billable_micro_usd) FILTER (WHERE kind = 'capture') AS captured_billable,
        sum(credit_micro_usd) FILTER (WHERE kind = 'release') AS released_credit,
        sum(credit_micro_usd + billable_micro_usd) FILTER (WHERE kind = 'capture') AS captured,
        sum(CASE WHEN kind = 'hold' THEN credit_micro_usd ELSE -credit_micro_usd END) AS open_credit,
        sum(CASE WHEN kind = 'hold' THEN billable_micro_usd ELSE -billable_micro_usd END) AS open_billable
      FROM ledger_entries WHERE job_id IS NOT NULL GROUP BY job_id
    ), jobs_with_sums AS (
      SELECT jobs.id, status, run_id, limit_micro_usd AS job_limit, ended_at IS NOT NULL AS ended, final_micro_usd AS final, estimated_micro_usd AS estimate,
        (billed_milliseconds * rate_micro_usd_per_minute + 59999) / 60000 AS price,
        coalesce(ends, 0) AS ends, coalesce(captures, 0) AS captures, coalesce(captured, 0) AS captured,
        coalesce(holds, 0) AS holds, coalesce(captured_billable, 0) AS captured_billable,
        coalesce(released_credit, 0) AS released_credit,
        coalesce(open_credit, 0) AS open_credit, coalesce(open_billable, 0) AS open_billable
      FROM jobs LEFT JOIN per_job ON per_job.job_id = jobs.id
    )
    SELECT 'the counters of an account are the sums of its entries' AS rule, id FROM accounts
      LEFT JOIN sums ON sums.account_id = accounts.id
      WHERE credit_micro_usd <> coalesce(credit, 0) OR held_micro_usd <> coalesce(held, 0) OR billed_micro_usd <> coalesce(billed, 0)
    UNION ALL SELECT 'the sums of a month are those of its entries', account_id FROM account_months
      FULL JOIN month_sums USING (account_id, month)
      WHERE held_credit_micro_usd IS DISTINCT FROM held_credit OR held_billable_micro_usd IS DISTINCT FROM held_billable
        OR captured_credit_micro_usd IS DISTINCT FROM captured_credit
        OR captured_billable_micro_usd IS DISTINCT FROM captured_billable
    UNION ALL SELECT 'the sums of a key are those of its jobs and of the keys below it', key_id FROM key_months
      FULL JOIN key_sums USING (key_id, month)
      WHERE held_micro_usd IS DISTINCT FROM held OR captured_micro_usd IS DISTINCT FROM captured
    UNION ALL SELECT 'the usage of a day is that of its jobs', account_id FROM usage_days
      FULL JOIN day_sums USING (account_id, day, endpoint, key_id)
      WHERE jobs_completed IS DISTINCT FROM completed OR jobs_failed IS DISTINCT FROM failed
        OR billed_milliseconds IS DISTINCT FROM billed OR amount_micro_usd IS DISTINCT FROM amount
    UNION ALL SELECT 'no account is below zero', id FROM accounts WHERE credit_micro_usd < 0 OR held_micro_usd < 0
    UNION ALL SELECT 'no amount is negative', account_id FROM ledger_entries
      WHERE kind <> 'adjustment' AND (credit_micro_usd < 0 OR billable_micro_usd < 0)
    UNION ALL SELECT 'holds, captures and releases belong to a job, and nothing else does', account_id FROM ledger_entries
      WHERE kind IN ('hold', 'capture', 'release') <> (job_id IS NOT NULL)
    UNION ALL SELECT 'an entry is of a step that writes its kind', id FROM ledger_entries
      WHERE CASE kind WHEN 'hold' THEN step NOT IN ('create', 'estimate')
                      WHEN 'release' THEN step NOT IN ('estimate', 'finish', 'finish/rest')
                      WHEN 'capture' THEN step <> 'finish'
                      WHEN 'payment' THEN step NOT LIKE 'payment/%'
                      WHEN 'grant' THEN step <> 'sign-up' AND step NOT LIKE 'operator/%'
                      ELSE false END
    UNION ALL SELECT 'an operator’s entry has a reason', id FROM ledger_entries
      WHERE step LIKE 'operator/%' AND coalesce(reason, '') = ''
    UNION ALL SELECT 'only the last step of a job ends its hold', id FROM ledger_entries
      WHERE (ends_hold_of IS NOT NULL) <> (step = 'finish') OR ends_hold_of <> job_id
    UNION ALL SELECT 'a job holds its price from the start', id FROM jobs_with_sums WHERE holds <> 1
    UNION ALL SELECT 'an entry is on its job’s account', ledger_entries.id FROM ledger_entries JOIN jobs ON jobs.id = job_id
      WHERE ledger_entries.account_id <> jobs.account_id
    UNION ALL SELECT 'a job’s entries are in one month', job_id FROM ledger_entries
      WHERE job_id IS NOT NULL GROUP BY job_id HAVING count(DISTINCT month) > 1
    UNION ALL SELECT 'a hold ends once, when its job does', id FROM jobs_with_sums WHERE ends <> (CASE WHEN ended THEN 1 ELSE 0 END)
    UNION ALL SELECT 'nothing is held for a job that has ended', id FROM jobs_with_sums
      WHERE ended AND (open_credit <> 0 OR open_billable <> 0)
    UNION ALL SELECT 'no more is released or captured than was held', id FROM jobs_with_sums
      WHERE open_credit < 0 OR open_billable < 0
    UNION ALL SELECT 'a completed job is captured once, others never', id FROM jobs_with_sums
      WHERE captures <> (CASE WHEN status = 'completed' THEN 1 ELSE 0 END)
    UNION ALL SELECT 'credits are used up before anything is billed', id FROM jobs_with_sums
      WHERE captured_billable > 0 AND released_credit > 0
    UNION ALL SELECT 'what is captured is the final price', id FROM jobs_with_sums WHERE ended AND captured <> coalesce(final, -1)
    UNION ALL SELECT 'what is captured is the price of what was made, the estimate or the limit, whichever is least', id FROM jobs_with_sums
      WHERE status = 'completed' AND captured <> least(price, coalesce(estimate, captured), job_limit)
    UNION ALL SELECT 'a job costs at most its own limit', id FROM jobs_with_sums WHERE captured > job_limit
    UNION ALL SELECT 'a run holds and captures at most its limit', run_id FROM jobs_with_sums JOIN workflow_runs ON workflow_runs.id = run_id
      GROUP BY run_id, limit_micro_usd HAVING sum(captured + open_credit + open_billable) > limit_micro_usd
    UNION ALL SELECT 'a paid invoice has its payment, and no other invoice has one', invoices.id FROM invoices
      LEFT JOIN ledger_entries AS paid
        ON paid.account_id = invoices.account_id AND paid.job_id IS NULL AND paid.step = 'payment/' || provider_id
      WHERE CASE status WHEN 'paid' THEN coalesce(paid.billable_micro_usd <> amount_cents * 10000, true) ELSE paid.id IS NOT NULL END
    UNION ALL SELECT 'an invoice is the sum of its lines', invoices.id FROM invoices
      WHERE amount_cents <> (SELECT coalesce(sum(amount_cents), 0) FROM invoice_lines WHERE invoice_id = invoices.id)
    UNION ALL SELECT 'no part of a month is charged twice', invoices.account_id FROM invoices
      JOIN invoice_lines AS line ON line.invoice_id = invoices.id
      LEFT JOIN account_months ON account_months.account_id = invoices.account_id AND account_months.month = line.month
      WHERE status <> 'void' AND line.month IS NOT NULL
      GROUP BY invoices.account_id, line.month, captured_billable_micro_usd
      HAVING sum(to_micro_usd - from_micro_usd) > coalesce(captured_billable_micro_usd, 0)`
}

/** The report for an operator: a line for each finding, or one line about the checked rows. */
export async function describeLedger(db: Database): Promise<{ readonly isClean: boolean; readonly lines: string[] }> {
  const findings = await checkLedger(db)
  if (findings.length > 0) return { isClean: false, lines: findings.map(({ id, rule }) => `${id} breaks: ${rule}`) }
  const [accounts, jobs, entries] = await Promise.all([db.account.count(), db.job.count(), db.ledgerEntry.count()])
  return {
    isClean: true,
    lines: [
      `the ledger is clean: ${counted(accounts, 'account')}, ${counted(jobs, 'job')}, ${counted(entries, 'entry', 'entries')}`,
    ],
  }
}
