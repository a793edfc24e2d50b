import { newId } from '../../core/ids.ts'
import { type Database, lockAccount, type Transaction } from '../../db/database.ts'
import type { InvoiceStatus } from '../../db/generated/enums.ts'
import type { InvoiceLineModel, InvoiceModel } from '../../db/generated/models.ts'
import { recordPaymentIn } from '../payments.ts'
import { centsToMicroUsd, type InvoiceAmounts, invoiceAmounts, minInvoiceCents } from './invoice-amounts.ts'

export type Invoice = InvoiceModel & { readonly lines: readonly InvoiceLineModel[] }

const withLines = { lines: { orderBy: { position: 'asc' } } } as const

/**
 * The invoice of an account for a UTC month and everything before it, written once: it stays as it is, whatever the ledger gets
 * later. Undefined if too little is owed.
 */
export async function prepareInvoice(
  db: Database,
  { accountId, month }: { readonly accountId: string; readonly month: string },
): Promise<Invoice | undefined> {
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const where = { accountId_month: { accountId, month } }
    const existing = await tx.invoice.findUnique({ where, include: withLines })
    if (existing) return existing
    const { amountCents, lines } = await amountsOf(tx, accountId, month)
    if (amountCents < minInvoiceCents) return undefined
    return tx.invoice.create({
      data: {
        ...{ id: newId('inv'), accountId, month, amountCents },
        lines: { create: lines.map((line, position) => ({ position, ...line })) },
      },
      include: withLines,
    })
  })
}

/** From the counters, which `checkLedger` compares with the entries: an account can have millions of them. */
async function amountsOf(tx: Transaction, accountId: string, month: string): Promise<InvoiceAmounts> {
  const { billedMicroUsd } = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
  const months = await tx.accountMonth.findMany({ where: { accountId } })
  const invoices = await tx.invoice.findMany({
    where: { accountId, status: { not: 'void' } },
    include: { lines: true },
  })
  const unpaidCents = invoices.reduce(
    (sum, { status, amountCents }) => sum + (status === 'paid' ? 0n : amountCents),
    0n,
  )
  const later = months.filter((each) => each.month > month)
  const afterwards = later.reduce((sum, { capturedBillableMicroUsd }) => sum + capturedBillableMicroUsd, 0n)
  const invoiced = invoices.flatMap(({ lines }) => lines)
  return invoiceAmounts(
    billedMicroUsd - afterwards - centsToMicroUsd(unpaidCents),
    months
      .filter((each) => each.month <= month)
      .map((each) => ({
        month: each.month,
        billableMicroUsd: each.capturedBillableMicroUsd,
        invoicedMicroUsd: invoiced
          .filter((line) => line.month === each.month)
          .reduce((sum, { fromMicroUsd, toMicroUsd }) => sum + toMicroUsd - fromMicroUsd, 0n),
      })),
  )
}

/** The invoices of the account up to the month that are not finalized, oldest first. */
export async function findUnsentInvoices(
  db: Database,
  { accountId, month }: { readonly accountId: string; readonly month: string },
): Promise<Invoice[]> {
  return db.invoice.findMany({
    where: { accountId, month: { lte: month }, status: 'preparing' },
    orderBy: { month: 'asc' },
    include: withLines,
  })
}

/** The accounts with a customer that may owe something for the month, or have an earlier invoice that was not sent, by id. */
export async function findAccountsToInvoice(
  db: Database,
  { month, afterId, limit }: { readonly month: string; readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT accounts.id FROM billing_customers JOIN accounts ON accounts.id = billing_customers.account_id
    WHERE accounts.id > ${afterId} AND customer_id IS NOT NULL AND (
      EXISTS (SELECT FROM invoices WHERE account_id = accounts.id AND status = 'preparing' AND month <= ${month})
      OR billed_micro_usd >= ${centsToMicroUsd(minInvoiceCents)}
        AND NOT EXISTS (SELECT FROM invoices WHERE account_id = accounts.id AND month = ${month})
    )
    ORDER BY accounts.id LIMIT ${limit}`
  return rows.map(({ id }) => id)
}

/** The account's invoices, newest first. */
export async function listInvoices(db: Database, accountId: string, limit: number): Promise<InvoiceModel[]> {
  return db.invoice.findMany({ where: { accountId }, orderBy: { month: 'desc' }, take: limit })
}

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
