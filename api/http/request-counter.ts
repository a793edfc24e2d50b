import type { Config } from '../../src/config.ts'
import { withTimeout } from '../../src/core/abortable.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { type Authentication, authenticate, type Credential } from '../../src/store/credentials.ts'
import type { Database } from '../../src/store/database.ts'
import { type QuotaUse, takeFromQuota } from '../../src/store/quotas.ts'

export const windowSeconds = 60
/** Longer than the pool waits for a connection: without an answer, all later requests of the subject would wait too. */
const answerMilliseconds = 10_000

/** Counts one request of the subject against its limit per minute. */
export type CountRequest = (subject: string) => Promise<QuotaUse>

/**
 * Counts in the database, for all processes together. Requests that arrive while others of their subject are being counted
 * are counted in one batch. Throws `service_unavailable` if that takes too long.
 */
export function createSharedCounter(db: Database, limit: number): CountRequest {
  return batchByKey((subject, count) =>
    takeForEach(limit, count, (amount) => takeFromQuota(db, { subject, limit, windowSeconds }, amount)),
  )
}

/** What a check of a key returns for each request: undefined for a key that is not valid. */
export type CheckKey = (token: string) => Promise<Authentication | undefined>

/** Checks keys, and counts each request for the account of its key, in one statement; otherwise like `createSharedCounter`. */
export function createKeyCheck(
  db: Database,
  { RATE_LIMIT_PER_ACCOUNT: limit, OAUTH_CLIENTS }: Pick<Config, 'RATE_LIMIT_PER_ACCOUNT' | 'OAUTH_CLIENTS'>,
): CheckKey {
  const approvedClientIds = OAUTH_CLIENTS.map(({ id }) => id)
  return batchByKey(async (token, count) => {
    let credential: Credential | undefined
    const uses = await takeForEach(limit, count, async (amount) => {
      const found = await authenticate(db, token, { quota: { limit, windowSeconds }, amount, approvedClientIds })
      credential = found?.credential
      return found?.use ?? noUse
    })
    return uses.map((use) => credential && { credential, use })
  })
}

const noUse: QuotaUse = { fits: false, left: 0, resetSeconds: windowSeconds }

/** Takes for several requests together. Throws `service_unavailable` if the database takes too long. */
export async function takeForEach(
  limit: number,
  count: number,
  take: (amount: number) => Promise<QuotaUse>,
  milliseconds = answerMilliseconds,
): Promise<QuotaUse[]> {
  const requested = Math.min(count, limit)
  const use = await withTimeout(take(requested), milliseconds, () => noAnswer(milliseconds))
  const taken = use.fits
    ? Array.from({ length: requested }, (_, index) => ({ ...use, left: use.left + requested - 1 - index }))
    : // Another process may have been faster.
      await (use.left > 0 && use.left < requested ? takeForEach(limit, use.left, take, milliseconds) : [])
  const refused = { ...use, fits: false, left: 0 }
  return [...taken, ...Array.from({ length: count - taken.length }, () => refused)]
}

function noAnswer(milliseconds: number): ServiceError {
  const cause = new Error(`the database gave no answer in ${milliseconds} ms`)
  return new ServiceError('service_unavailable', undefined, { cause })
}

interface Waiter<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches calls by key: calls that arrive while work for their key runs wait for the next batch. `work` receives the number
 * of calls in the batch, and returns a value for each, in the order of the calls.
 */
export function batchByKey<T>(
  work: (key: string, count: number) => Promise<readonly T[]>,
): (key: string) => Promise<T> {
  const waiting = new Map<string, Waiter<T>[]>()

  async function workFor(key: string, waiters: Waiter<T>[]): Promise<void> {
    while (waiters.length > 0) {
      const together = waiters.splice(0)
      try {
        const values = await work(key, together.length)
        for (const [index, value] of values.entries()) together[index]?.resolve(value)
        if (values.length < together.length) throw new Error('fewer values than calls')
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    waiting.delete(key)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const waiters = waiting.get(key)
      if (waiters) {
        waiters.push({ resolve, reject })
      } else {
        const first = [{ resolve, reject }]
        waiting.set(key, first)
        void workFor(key, first)
      }
    })
}
