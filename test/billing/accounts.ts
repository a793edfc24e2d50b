import { freeCreditsMicroUsd } from '../../src/billing/credits.ts'
import { append } from '../../src/billing/ledger.ts'
import type { MicroUsd } from '../../src/core/money.ts'
import type { Database } from '../../src/db/database.ts'

/** Takes credits from a new account until `left` remains. */
export async function leaveCredits(db: Database, accountId: string, left: MicroUsd): Promise<void> {
  await db.$transaction((tx) =>
    append(tx, {
      accountId,
      jobId: null,
      kind: 'adjustment',
      step: 'test',
      amount: { credit: left - freeCreditsMicroUsd, billable: 0n },
    }),
  )
}
