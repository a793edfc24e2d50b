import type Stripe from 'stripe'
import { ServiceError } from '../../../core/errors.ts'
import { type Database, lockAccount } from '../../../db/database.ts'
import { isKept, isMissing } from './open-stripe.ts'

export interface StripeDependencies {
  readonly stripe: Stripe
  readonly db: Database
}

/**
 * The id of the account's customer, which is made once: the row comes first, a customer whose answer was lost is found by its
 * metadata, and until the search knows it, by its Idempotency-Key.
 */
export async function ensureCustomer(deps: StripeDependencies, accountId: string): Promise<string> {
  const { stripe, db } = deps
  const where = { accountId }
  await db.billingCustomer.createMany({ data: [{ accountId }], skipDuplicates: true })
  const row = await db.billingCustomer.findUniqueOrThrow({ where })
  if (row.customerId) return row.customerId
  const [found] = await customersOf(stripe, accountId)
  const customerId = found ?? (await createCustomer(deps, row))
  const isTaken = await db.$transaction(async (tx) => {
    const { isAccountDeleted } = await lockAccount(tx, accountId)
    if (!isAccountDeleted)
      await tx.billingCustomer.updateMany({ where: { ...where, customerId: null }, data: { customerId } })
    return isAccountDeleted
  })
  if (!isTaken) return (await db.billingCustomer.findUniqueOrThrow({ where })).customerId ?? customerId
  await deleteCustomer(stripe, customerId)
  throw new ServiceError('not_found')
}

interface CustomerRow {
  readonly accountId: string
  readonly version: number
}

async function createCustomer(
  { stripe, db }: StripeDependencies,
  { accountId, version }: CustomerRow,
): Promise<string> {
  const owner = await db.user.findFirst({ where: { account: { id: accountId } }, select: { email: true } })
  try {
    const { id } = await stripe.customers.create(
      { metadata: { account_id: accountId }, ...(owner ? { email: owner.email } : {}) },
      { idempotencyKey: `customer/${accountId}/${version}` },
    )
    return id
  } catch (error) {
    if (isKept(error)) await nextVersion(db, { accountId, version })
    throw error
  }
}

/** The customers that were made for an account. The search learns of a new one within a minute. */
async function customersOf(stripe: Stripe, accountId: string): Promise<string[]> {
  const { data } = await stripe.customers.search({ query: `metadata['account_id']:'${accountId}'`, limit: 100 })
  return data.map(({ id }) => id)
}

/** The account has this customer no more, because somebody deleted it at Stripe. */
export async function dropCustomer(db: Database, accountId: string, customerId: string): Promise<void> {
  await db.billingCustomer.updateMany({
    where: { accountId, customerId },
    data: { customerId: null, version: { increment: 1 } },
  })
}

/** Deletes the account's customers at Stripe, with their cards and addresses. Stripe keeps invoices, as accounting must. */
export async function forgetCustomers({ stripe, db }: StripeDependencies, accountId: string): Promise<void> {
  const row = await db.billingCustomer.findUnique({ where: { accountId } })
  if (!row) return
  const ids = new Set([...(row.customerId ? [row.customerId] : []), ...(await customersOf(stripe, accountId))])
  for (const id of ids) await deleteCustomer(stripe, id)
  if (row.customerId) await dropCustomer(db, accountId, row.customerId)
}

async function deleteCustomer(stripe: Stripe, id: string): Promise<void> {
  await stripe.customers.del(id).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

async function nextVersion(db: Database, { accountId, version }: CustomerRow): Promise<void> {
  await db.billingCustomer.updateMany({ where: { accountId, version }, data: { version: { increment: 1 } } })
}
