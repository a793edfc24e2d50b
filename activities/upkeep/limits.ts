import type { Dependencies } from '../dependencies.ts'

/** What is younger is still in the hands of whoever made it. */
export const graceSeconds = 5

/** Rows of one rule and run; the rest has its turn in the next run. */
export const maxRowsPerPass = 500

/** What was made before is deleted. */
export function endOfRetention({ retentionDays }: Pick<Dependencies, 'retentionDays'>): Date {
  return new Date(Date.now() - retentionDays * 86_400_000)
}
