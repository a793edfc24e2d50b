import { createHmac } from 'node:crypto'
import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import type { Database, Transaction } from '../db/database.ts'
import { sealSecret } from './secrets.ts'

// A callback is a webhook endpoint of one job or run: no list has it, and it is deleted with its delivery.

/** The secret that signs the callbacks of an API key. Whoever has the key can compute it; nobody can compute the key from it. */
export function callbackSecretOf(token: string): string {
  return `whsec_${createHmac('sha256', token).update('callbacks').digest('base64')}`
}

/** What a request asks for with `callback_url`. */
export interface NewCallback {
  readonly id: string
  readonly keyId: string
  readonly url: string
  /** Sealed for the callback. */
  readonly secret: string
}

export function newCallback(
  config: SigningConfig,
  { keyId, url, secret }: Pick<NewCallback, 'keyId' | 'url' | 'secret'>,
): NewCallback {
  const id = newId('whc')
  return { id, keyId, url, secret: sealSecret(config, id, secret) }
}

/** The maximum of an account's callbacks that have not been delivered or given up. */
export const maxCallbacks = 1000

/** In the transaction that creates the job or run. The caller has locked the account. Throws `rate_limited` beyond the maximum. */
export async function createCallback(
  tx: Transaction,
  { accountId, subjectId, callback }: { accountId: string; subjectId: string; callback: NewCallback | undefined },
): Promise<void> {
  if (!callback) return
  if ((await tx.webhookEndpoint.count({ where: { accountId, subjectId: { not: null } } })) >= maxCallbacks)
    throw new ServiceError(
      'rate_limited',
      `${maxCallbacks} callbacks of this account are pending, which is its limit. Try again when some were delivered, or leave out callback_url.`,
      { retryAfterSeconds: 60 },
    )
  await tx.webhookEndpoint.create({ data: { ...callback, accountId, subjectId, eventTypes: [] }, select: { id: true } })
}

/** Deletes up to `limit` callbacks that were left behind, and returns their number. */
export async function deleteOldCallbacks(db: Database, before: Date, limit: number): Promise<number> {
  const { count } = await db.webhookEndpoint.deleteMany({
    where: { subjectId: { not: null }, createdAt: { lt: before } },
    limit,
  })
  return count
}
