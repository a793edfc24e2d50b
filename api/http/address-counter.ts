import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../src/store/database.ts'
import { type QuotaUse, takeFromQuota } from '../../src/store/quotas.ts'
import { batchByKey, type CountRequest, takeForEach, windowSeconds } from './request-counter.ts'

/** Then this process counts alone, and asks again after a while. */
const answerMilliseconds = 2_000
const tryAgainMilliseconds = 5_000
/**
 * The part of a limit that a process lets through before it counts it in the database, and for how long, while half of the limit
 * is left. One process stays within the limit; a flood over several can exceed it by this part for each further one.
 */
const maxAheadFraction = 0.05
const maxAheadMilliseconds = 1_000

/** The last count of a subject in the database. */
interface Counted {
  use: QuotaUse
  readonly until: number
  /** Requests since then, which the next count includes. */
  ahead: number
}

/**
 * Counts in the database, for all processes together. Far from the limit, most requests do not wait for it. While the database
 * does not answer, counts in this process's memory. Never rejects.
 */
export function createAddressCounter(db: Database, limit: number, logger: FastifyBaseLogger): CountRequest {
  const last = new Map<string, Counted>()
  const countAlone = createLocalCounter(limit)
  const maxAhead = Math.floor(limit * maxAheadFraction)
  let aloneUntil = 0
  let forgetAt = 0

  const countShared = batchByKey(async (subject, count) => {
    const ahead = last.get(subject)?.ahead ?? 0
    last.delete(subject)
    const take = (amount: number) => takeFromQuota(db, { subject, limit, windowSeconds }, amount)
    const uses = await takeForEach(limit, ahead + count, take, answerMilliseconds)
    const use = uses.at(-1)
    if (use) last.set(subject, { use, until: Date.now() + maxAheadMilliseconds, ahead: 0 })
    return uses.slice(ahead)
  })

  return async (subject) => {
    const now = Date.now()
    if (now < aloneUntil) return countAlone(subject)
    if (now >= forgetAt) {
      last.clear()
      forgetAt = now + windowSeconds * 1000
    }
    const counted = last.get(subject)
    if (counted && now < counted.until && counted.ahead < maxAhead && counted.use.left > limit / 2) {
      counted.ahead += 1
      counted.use = { ...counted.use, left: counted.use.left - 1 }
      return counted.use
    }
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
