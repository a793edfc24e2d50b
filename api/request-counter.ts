import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../src/store/database.ts'
import { type QuotaUse, takeFromQuota } from '../src/store/quotas.ts'

const windowSeconds = 60
const answerMilliseconds = 2_000
const tryAgainMilliseconds = 5_000

/** Counts one request of the subject against its limit a minute. */
export type CountRequest = (subject: string, limit: number) => Promise<QuotaUse>

/** Counts in the database, with all processes. */
export function createSharedCounter(db: Database): CountRequest {
  return (subject, limit) => takeFromQuota(db, { subject, limit, windowSeconds })
}

/** The same for requests that may need no database: while it does not answer, counts alone and in memory. Never rejects. */
export function createSteadyCounter(countShared: CountRequest, logger: FastifyBaseLogger): CountRequest {
  const countAlone = createLocalCounter()
  let aloneUntil = 0
  return async (subject, limit) => {
    if (Date.now() < aloneUntil) return countAlone(subject, limit)
    try {
      return await within(answerMilliseconds, countShared(subject, limit))
    } catch (error) {
      aloneUntil = Date.now() + tryAgainMilliseconds
      logger.warn({ err: error }, 'requests are counted by this process alone')
      return countAlone(subject, limit)
    }
  }
}

function createLocalCounter(): (subject: string, limit: number) => QuotaUse {
  const used = new Map<string, number>()
  let endsAt = 0
  return (subject, limit) => {
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

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const tooLate = delay(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no answer in ${milliseconds} ms`)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    timer.abort()
    tooLate.catch(() => {})
  }
}
