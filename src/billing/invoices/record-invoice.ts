import type { Transaction } from '../../store/database.ts'
import type { InvoiceStatus } from '../../store/generated/enums.ts'
import { recordPaymentIn } from '../payments.ts'
import { centsToMicroUsd } from './invoice-amounts.ts'

/** What the provider says of an invoice that it has finalized. */
export interface InvoiceReading {
  readonly invoiceId: string
  readonly providerId: string
  readonly status: Exclude<InvoiceStatus, 'preparing'>
}

/** What each status can follow. Paid and void invoices stay so: a refund is a correction of its own. */
const after: Readonly<Record<InvoiceReading['status'], InvoiceStatus[]>> = {
  open: ['preparing'],
  past_due: ['preparing', 'open'],
  paid: ['preparing', 'open', 'past_due'],
  void: ['preparing', 'open', 'past_due'],
}

/**
 * Records what was read, and with `paid` the payment, once. An invoice that is over, or of another account, is left alone. The
 * caller holds the account's row lock.
 */
export async function recordInvoice(
  tx: Transaction,
  accountId: string,
  { invoiceId: id, providerId, status }: InvoiceReading,
): Promise<void> {
  const paidAt = status === 'paid' ? new Date() : null
  const [invoice] = await tx.invoice.updateManyAndReturn({
    where: { id, accountId, status: { in: after[status] } },
    data: { status, providerId, paidAt },
  })
  if (!invoice || status !== 'paid') return
  const amountMicroUsd = centsToMicroUsd(invoice.amountCents)
  await recordPaymentIn(tx, { accountId, reference: providerId, amountMicroUsd })
}
