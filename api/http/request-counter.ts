import type { FastifyBaseLogger } from 'fastify'
import { withTimeout } from '../../src/core/abortable.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { Database } from '../../src/store/database.ts'
import { type Quota, type QuotaUse, takeFromQuota } from '../../src/store/quotas.ts'

const windowSeconds = 60
const answerMilliseconds = 2_000
const tryAgainMilliseconds = 5_000

/** Counts one request of the subject against its limit per minute. */
export type CountRequest = (subject: string) => Promise<QuotaUse>

/**
 * Counts in the database, for all processes together. Requests that arrive while others of their subject are being counted
 * are counted in one batch. Throws `service_unavailable` if that takes too long.
 */
export function createSharedCounter(db: Database, limit: number): CountRequest {
  return batchByKey((subject, count) =>
    withTimeout(takeForEach(db, { subject, limit, windowSeconds }, count), answerMilliseconds, noAnswer),
  )
}

function noAnswer(): ServiceError {
  const cause = new Error(`the database gave no answer in ${answerMilliseconds} ms`)
  return new ServiceError('service_unavailable', undefined, { cause })
}

async function takeForEach(db: Database, quota: Quota, count: number): Promise<QuotaUse[]> {
  const requested = Math.min(count, quota.limit)
  const use = await takeFromQuota(db, quota, requested)
  const taken = use.fits
    ? Array.from({ length: requested }, (_, index) => ({ ...use, left: use.left + requested - 1 - index }))
    : // Another process may have been faster.
      await (use.left > 0 && use.left < requested ? takeForEach(db, quota, use.left) : [])
  const refused = { ...use, fits: false, left: 0 }
  return [...taken, ...Array.from({ length: count - taken.length }, () => refused)]
}

/** Counts like `createSharedCounter`; while the database does not answer, counts in this process's memory. Never rejects. */
export function createSteadyCounter(db: Database, limit: number, logger: FastifyBaseLogger): CountRequest {
  const countShared = createSharedCounter(db, limit)
  const countAlone = createLocalCounter(limit)
  let aloneUntil = 0
  return async (subject) => {
    if (Date.now() < aloneUntil) return countAlone(subject)
    try {
      return await countShared(subject)
    } catch (error) {
      aloneUntil = Date.now() + tryAgainMilliseconds
      logger.warn({ err: error }, 'requests are counted by this process alone')
      return countAlone(subject)
    }
  }
}

function createLocalCounter(limit: number): (subject: string) => QuotaUse {
  const used = new Map<string, number>()
  let endsAt = 0
  return (subject) => {
    const now = Date.now()
    if (now >= endsAt) {
      used.clear()
      endsAt = now + windowSeconds * 1000
    }
    const count = (used.get(subject) ?? 0) + 1
    used.set(subject, count)
    const resetSeconds = Math.ceil((endsAt - now) / 1000)
    return { fits: count <= limit, left: Math.max(0, limit - count), resetSeconds }
  }
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
