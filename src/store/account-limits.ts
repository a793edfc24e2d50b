import type { AccountStanding } from './database.ts'

/** The maximum of something for one account, such as its running jobs. */
export interface AccountLimits {
  readonly perAccount: number
  /** The same for an unpaid account. */
  readonly beforePayment: number
}

/** What the limit depends on. */
export type Payer = Pick<AccountStanding, 'ownerId' | 'billingStatus'>

/** The limit of the account. */
export function limitOf(account: Payer, { perAccount, beforePayment }: AccountLimits): number {
  return isUnpaid(account) ? Math.min(beforePayment, perAccount) : perAccount
}

/** Whether its owner opened the account and its billing is not active: anybody can open such accounts, at no cost. */
function isUnpaid({ ownerId, billingStatus }: Payer): boolean {
  return ownerId !== null && billingStatus === 'inactive'
}
