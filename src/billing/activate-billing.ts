import type { MicroUsd } from '../core/money.ts'
import { type Database, lockAccount } from '../store/database.ts'

/** The monthly cap of an account that activates billing without one: 100 USD. */
export const firstCapMicroUsd: MicroUsd = 100_000_000n

/** Lets the account hold more than its credits. Activating it again changes nothing. */
export async function activateBilling(db: Database, accountId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const { billingStatus, monthlyCapMicroUsd } = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
    if (billingStatus === 'active') return
    await tx.account.update({
      where: { id: accountId },
      data: { billingStatus: 'active', monthlyCapMicroUsd: monthlyCapMicroUsd ?? firstCapMicroUsd },
    })
  })
}
