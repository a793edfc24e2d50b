import { findAccountsToInvoice } from '../src/billing/invoices/prepare-invoice.ts'
import { mapOrAbort } from '../src/core/abortable.ts'
import type { Dependencies } from './dependencies.ts'
import { whileBeating } from './worker/run-activity.ts'

export interface CloseAccountsInput {
  /** `YYYY-MM` */
  readonly month: string
  /** The last account of the page before. */
  readonly afterId: string
}

export interface CloseAccountsResult {
  /** The last account of this page; null if there is no other page. */
  readonly lastId: string | null
  readonly failed: number
}

const accountsPerPage = 100
/** Each takes half a dozen calls, one after the other. Stripe refuses more than 100 a second, and 25 for test keys. */
const concurrency = 4

type CloseDependencies = Pick<Dependencies, 'billing' | 'db' | 'logger'>

/** Sends the invoices of a month to the accounts of a page. An account that fails is logged, counted, and found again by another round. */
export async function closeAccounts(
  { billing, db, logger }: CloseDependencies,
  { month, afterId }: CloseAccountsInput,
): Promise<CloseAccountsResult> {
  const { closeAccount } = billing
  return whileBeating(async (signal) => {
    const page = await findAccountsToInvoice(db, { month, afterId, limit: accountsPerPage })
    if (!closeAccount) {
      // Otherwise the month would look closed, and nobody would be charged.
      if (page.length > 0) logger.error({ month }, 'no invoice sent: the BILLING of this worker takes no money')
      return { lastId: null, failed: page.length }
    }
    let failed = 0
    await mapOrAbort(signal, { items: page, concurrency }, async (accountId) => {
      try {
        await closeAccount({ accountId, month })
      } catch (error) {
        failed += 1
        logger.error({ err: error, accountId, month }, 'invoice not sent')
      }
    })
    return { lastId: page.length < accountsPerPage ? null : (page.at(-1) ?? null), failed }
  })
}
