import type { AccountStanding } from './database.ts'
import { Prisma } from './generated/client.ts'

/** How much of something one account may have, such as running jobs. */
export interface Allowance {
  readonly perAccount: number
  /** The same for an unpaid account, if it is less. */
  readonly beforePayment: number
}

/** What decides whether an account is unpaid: its owner opened it, and its billing is not active. Anybody can open such accounts, at no cost. */
export type PaymentStanding = Pick<AccountStanding, 'ownerId' | 'billingStatus'>

export function isUnpaid({ ownerId, billingStatus }: PaymentStanding): boolean {
  return ownerId !== null && billingStatus === 'inactive'
}

/** `isUnpaid` of a row of `accounts`. */
const isUnpaidRow = Prisma.sql`owner_id IS NOT NULL AND billing_status = 'inactive'`

export function allowanceOf(account: PaymentStanding, allowance: Allowance): number {
  return isUnpaid(account) ? beforePaymentOf(allowance) : allowance.perAccount
}

/** `allowanceOf` in SQL, for a row of `accounts`. */
export function allowanceSql(allowance: Allowance): Prisma.Sql {
  return Prisma.sql`CASE WHEN ${isUnpaidRow} THEN ${beforePaymentOf(allowance)}::bigint ELSE ${allowance.perAccount}::bigint END`
}

function beforePaymentOf({ perAccount, beforePayment }: Allowance): number {
  return Math.min(beforePayment, perAccount)
}
