import { setTimeout as sleep } from 'node:timers/promises'
import type Stripe from 'stripe'
import { daySeconds } from '../../../core/time-code.ts'
import { type Database, lockAccount } from '../../../db/database.ts'
import { type Invoice, type InvoiceReading, recordInvoice } from '../../invoices/prepare-invoice.ts'
import type { StripeDependencies } from './customers.ts'
import { isKept, isMissing, isPassing } from './open-stripe.ts'
import { invoiceIdField, readingOf } from './read-event.ts'

const maxAttempts = 5

export interface SendDependencies extends StripeDependencies {
  /** Before the second attempt; each later pause is twice as long, and up to half longer at random. */
  readonly firstPauseMilliseconds: number
}

/** One attempt is one request: every further one looks first at what exists. */
const once = { maxNetworkRetries: 0 }

/**
 * Makes a prepared invoice at Stripe, and finalizes it: Stripe charges it then. Every attempt continues what earlier ones left,
 * whether or not their answers arrived.
 */
export async function sendInvoice(deps: SendDependencies, invoice: Invoice, customer: string): Promise<void> {
  let row: Invoice = invoice
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(deps, row, customer)
    } catch (error) {
      if (isKept(error)) await nextKeys(deps.db, row)
      if (attempt === maxAttempts || !isPassing(error)) throw error
      const { keyVersion, providerId } = await deps.db.invoice.findUniqueOrThrow({ where: { id: row.id } })
      row = { ...row, keyVersion, providerId }
      await sleep(deps.firstPauseMilliseconds * 2 ** (attempt - 1) * (1 + Math.random() / 2))
    }
  }
}

async function sendOnce({ stripe, db }: SendDependencies, row: Invoice, customer: string): Promise<void> {
  let found = await findOrCreate(stripe, db, row, customer)
  if (found.status === 'draft') {
    await addLines(stripe, row, found.id, customer)
    const options = { ...once, idempotencyKey: keyOf(row, `finalize/${found.id}`) }
    found = await stripe.invoices.finalizeInvoice(found.id, { auto_advance: true }, options)
  }
  const reading = readingOf(found)
  if (!reading) throw new Error(`${row.id} is not finalized`)
  await record(db, row.accountId, reading)
}

/** The row decides which invoice counts, so that of two that were made simultaneously only one is ever finalized. */
async function findOrCreate(stripe: Stripe, db: Database, row: Invoice, customer: string): Promise<Stripe.Invoice> {
  const counted = row.providerId ? await retrieve(stripe, row.providerId) : undefined
  if (counted && !isOfDeletedCustomer(counted, customer)) return counted
  const made = (await findMade(stripe, row, customer)) ?? (await createDraft(stripe, row, customer))
  await db.invoice.updateMany({ where: { id: row.id, providerId: row.providerId }, data: { providerId: made.id } })
  const { providerId } = await db.invoice.findUniqueOrThrow({ where: { id: row.id } })
  if (!providerId || providerId === made.id) return made
  await stripe.invoices.del(made.id, {}, once)
  return stripe.invoices.retrieve(providerId, {}, once)
}

/** The account got another customer since the draft was made. */
function isOfDeletedCustomer({ status, customer: of }: Stripe.Invoice, customer: string): boolean {
  return status === 'draft' && of !== customer
}

function retrieve(stripe: Stripe, id: string): Promise<Stripe.Invoice | undefined> {
  return stripe.invoices.retrieve(id, {}, once).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
}

/** Lists, because the search learns of a new invoice only within a minute. */
async function findMade(
  stripe: Stripe,
  { id, createdAt }: Invoice,
  customer: string,
): Promise<Stripe.Invoice | undefined> {
  const dayBefore = Math.floor(createdAt.getTime() / 1000) - daySeconds
  for await (const made of stripe.invoices.list({ customer, created: { gte: dayBefore }, limit: 100 }, once)) {
    if (made.metadata?.[invoiceIdField] === id) return made
  }
  return undefined
}

function createDraft(stripe: Stripe, row: Invoice, customer: string): Promise<Stripe.Invoice> {
  const { id, accountId, month } = row
  return stripe.invoices.create(
    {
      customer,
      currency: 'usd',
      collection_method: 'charge_automatically',
      // Only once every line is there.
      auto_advance: false,
      pending_invoice_items_behavior: 'exclude',
      metadata: { [invoiceIdField]: id, account_id: accountId, month },
    },
    { ...once, idempotencyKey: keyOf(row, `create/${customer}`) },
  )
}

/** Adds the lines that the draft lacks. Throws if a line is there twice, or if the total is not the row's. */
async function addLines(stripe: Stripe, row: Invoice, invoice: string, customer: string): Promise<void> {
  const added = new Map<string, number>()
  for await (const { metadata, amount } of stripe.invoiceItems.list({ invoice, limit: 100 }, once)) {
    const position = metadata?.['position'] ?? ''
    if (added.has(position)) throw new Error(`the draft of ${row.id} has the line ${position} twice`)
    added.set(position, amount)
  }
  for (const line of row.lines.filter(({ position }) => !added.has(String(position)))) {
    const position = String(line.position)
    const { amount } = await stripe.invoiceItems.create(
      { customer, invoice, currency: 'usd', amount: Number(line.amountCents), ...describe(line) },
      { ...once, idempotencyKey: keyOf(row, `line/${invoice}/${position}`) },
    )
    added.set(position, amount)
  }
  const total = [...added.values()].reduce((sum, cents) => sum + cents, 0)
  if (BigInt(total) !== row.amountCents) throw new Error(`the draft of ${row.id} has another total`)
}

function describe({ position, month, fromMicroUsd, toMicroUsd }: Invoice['lines'][number]) {
  return {
    description: month === null ? 'Corrections, and what earlier invoices did not charge' : `Usage of ${month} (UTC)`,
    metadata: {
      position: String(position),
      ...(month === null ? {} : { ledger_month: month }),
      ledger_from_micro_usd: String(fromMicroUsd),
      ledger_to_micro_usd: String(toMicroUsd),
    },
  }
}

function keyOf({ id, keyVersion }: Invoice, step: string): string {
  return `${id}/${step}/${keyVersion}`
}

async function nextKeys(db: Database, { id, keyVersion }: Invoice): Promise<void> {
  await db.invoice.updateMany({ where: { id, keyVersion }, data: { keyVersion: { increment: 1 } } })
}

/** Charges what is still open of an account, as far as its payment method lets. */
export async function chargeOpenInvoices({ stripe, db }: StripeDependencies, accountId: string): Promise<void> {
  const open = await db.invoice.findMany({ where: { accountId, status: { in: ['open', 'past_due'] } } })
  for (const { providerId } of open) {
    if (!providerId) continue
    await stripe.invoices.pay(providerId).catch((error: unknown) => {
      // The card was declined, or the invoice is paid already: what became of it is read below.
      if (isPassing(error)) throw error
    })
    const reading = readingOf(await stripe.invoices.retrieve(providerId))
    if (reading) await record(db, accountId, reading)
  }
}

async function record(db: Database, accountId: string, reading: InvoiceReading): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await recordInvoice(tx, accountId, reading)
  })
}
