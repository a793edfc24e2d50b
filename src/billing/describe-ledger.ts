import type { Database } from '../store/database.ts'
import { checkLedger } from './check-ledger.ts'

/** The report for an operator: a line for each finding, or one line about the checked rows. */
export async function describeLedger(db: Database): Promise<{ readonly isClean: boolean; readonly lines: string[] }> {
  const findings = await checkLedger(db)
  if (findings.length > 0) return { isClean: false, lines: findings.map(({ id, rule }) => `${id} breaks: ${rule}`) }
  const [accounts, jobs, entries] = await Promise.all([db.account.count(), db.job.count(), db.ledgerEntry.count()])
  return { isClean: true, lines: [`the ledger is clean: ${accounts} accounts, ${jobs} jobs, ${entries} entries`] }
}
