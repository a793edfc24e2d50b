import type { MicroUsd } from '../../core/money.ts'

// What an invoice charges. Providers charge whole cents and the ledger counts millionths of a dollar, so an invoice is rounded down
// to a cent, and the rest stays owed: the next invoice has it. Nothing is lost, and nothing is charged twice.

const microUsdPerCent = 10_000n

/** Providers refuse to charge less than 0.50 USD. A smaller amount waits for the next invoice. */
export const minInvoiceCents = 50n

/** What the account has captured beyond credits in a month of the ledger, and how much of it earlier invoices had. */
export interface LedgerMonth {
  readonly month: string
  readonly billableMicroUsd: MicroUsd
  readonly invoicedMicroUsd: MicroUsd
}

/** The part of a month's running total that a line charges. A line without a month has corrections and earlier remainders. */
export interface InvoiceAmount {
  readonly month: string | null
  readonly fromMicroUsd: MicroUsd
  readonly toMicroUsd: MicroUsd
  readonly amountCents: bigint
}

export interface InvoiceAmounts {
  readonly amountCents: bigint
  readonly lines: readonly InvoiceAmount[]
}

/**
 * The lines for what an account owes and no invoice has yet. Each line is rounded so that it and the lines before it add
 * up to their exact sum, rounded down to a cent. What no month explains, such as corrections by operators and the remainder of the last invoice, comes first.
 */
export function invoiceAmounts(owedMicroUsd: MicroUsd, months: readonly LedgerMonth[]): InvoiceAmounts {
  const open = months
    .filter(({ billableMicroUsd, invoicedMicroUsd }) => billableMicroUsd !== invoicedMicroUsd)
    .toSorted((a, b) => (a.month < b.month ? -1 : 1))
  const used = open.reduce(
    (sum, { billableMicroUsd, invoicedMicroUsd }) => sum + billableMicroUsd - invoicedMicroUsd,
    0n,
  )
  let total = owedMicroUsd - used
  const first = { month: null, fromMicroUsd: 0n, toMicroUsd: total, amountCents: wholeCents(total) }
  const lines = open.map(({ month, invoicedMicroUsd: fromMicroUsd, billableMicroUsd: toMicroUsd }) => {
    const before = wholeCents(total)
    total += toMicroUsd - fromMicroUsd
    return { month, fromMicroUsd, toMicroUsd, amountCents: wholeCents(total) - before }
  })
  return {
    amountCents: wholeCents(owedMicroUsd),
    lines: first.amountCents === 0n ? lines : [first, ...lines],
  }
}

export function centsToMicroUsd(cents: bigint): MicroUsd {
  return cents * microUsdPerCent
}

/** Rounded down, also below zero. */
function wholeCents(amount: MicroUsd): bigint {
  const rest = amount % microUsdPerCent
  return (amount - (rest < 0n ? rest + microUsdPerCent : rest)) / microUsdPerCent
}
