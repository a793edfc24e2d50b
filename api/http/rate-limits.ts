import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import {
  type Authentication,
  accountSubject,
  authenticate,
  type KeyCredential,
} from '../../src/accounts/credentials.ts'
import { approvedClientIdsOf } from '../../src/accounts/oauth-clients.ts'
import { type QuotaUse, takeFromQuota } from '../../src/accounts/quotas.ts'
import type { Config } from '../../src/config.ts'
import { withTimeout } from '../../src/core/abortable.ts'
import { createCounts } from '../../src/core/counts.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { Database } from '../../src/db/database.ts'
import type { ApiContext, App } from './context.ts'
import { jsonBodyLimit } from './json-body.ts'
import { isSignedRead } from './signed-url.ts'

type Deps = Pick<ApiContext, 'config' | 'db' | 'logger'>
type CallerOf = (request: object) => { readonly accountId: string } | undefined

const addressSubject = ({ ip }: FastifyRequest) => `address ${networkOf(ip)}`

/** Parsing and checking takes time by the size of a body: every 16 KiB of JSON count as a request. */
const requestBytes = 16 * 1024

/** The number of requests that a request is counted as. A body without a length counts as the longest one. */
function requestsIn({ headers }: Pick<FastifyRequest, 'headers'>): number {
  if (!headers['content-type']?.toLowerCase().startsWith('application/json')) return 1
  const bytes = 'transfer-encoding' in headers ? jsonBodyLimit : Number(headers['content-length'] ?? 0)
  return Math.max(1, Math.ceil(Math.min(bytes, jsonBodyLimit) / requestBytes))
}

/** Counts as many requests; returns the first use that does not fit, otherwise the last. */
async function countTimes(count: CountRequest, subject: string, times: number): Promise<QuotaUse | undefined> {
  const uses = await Promise.all(Array.from({ length: times }, () => count(subject)))
  return uses.find(({ fits }) => !fits) ?? uses.at(-1)
}

/** Players ask for many small ranges: a signed read counts as a tenth of a request. */
const signedReadsPerRequest = 10

/** Limits the requests of each address (each /64 for IPv6), even without the database. Signed reads have a limit of their own. */
export function limitAddresses(scope: App, { config, db, logger, signer }: Deps & Pick<ApiContext, 'signer'>): void {
  const limit = config.RATE_LIMIT_PER_ADDRESS
  const count = createAddressCounter(db, limit, logger)
  const readLimit = limit * signedReadsPerRequest
  const countRead = createAddressCounter(db, readLimit, logger)
  scope.addHook('onRequest', async (request, reply) => {
    if (signer && isSignedRead(signer, request)) {
      const read = await countRead(`reads of ${addressSubject(request)}`)
      if (!read.fits) assertFits(reply, readLimit, read)
      return
    }
    const use = await countTimes(count, addressSubject(request), requestsIn(request))
    if (use) assertFits(reply, limit, use)
  })
}

/** Counts what the body adds to a request that is counted already, for its account. Throws `rate_limited`. */
export function createBodyLimit({ config, db }: Pick<Deps, 'config' | 'db'>) {
  const limit = config.RATE_LIMIT_PER_ACCOUNT
  const count = createSharedCounter(db, limit)
  return async (request: FastifyRequest, reply: FastifyReply, accountId: string): Promise<void> => {
    const use = await countTimes(count, accountSubject(accountId), requestsIn(request) - 1)
    if (use) assertFits(reply, limit, use)
  }
}

/** Counts each message of a batch after the first as a request of its own. Throws `rate_limited` if they exceed a limit. */
export function createBatchLimit({ config, db, logger }: Deps, callerOf: CallerOf) {
  const countAddress = createAddressCounter(db, config.RATE_LIMIT_PER_ADDRESS, logger)
  const countAccount = createSharedCounter(db, config.RATE_LIMIT_PER_ACCOUNT)
  return async (request: FastifyRequest, messages: number): Promise<void> => {
    const caller = callerOf(request)
    const uses = await Promise.all([
      countTimes(countAddress, addressSubject(request), messages - 1),
      caller && countTimes(countAccount, accountSubject(caller.accountId), messages - 1),
    ])
    const refused = uses.find((use) => use && !use.fits)
    if (refused) throw new ServiceError('rate_limited', undefined, { retryAfterSeconds: refused.resetSeconds })
  }
}

/** Throws `rate_limited` for a request above a limit. The headers show the last limit that was checked: the account's, if there is one. */
export function assertFits(reply: Pick<FastifyReply, 'headers'>, limit: number, use: QuotaUse): void {
  const { fits, left, resetSeconds } = use
  reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': left, 'ratelimit-reset': resetSeconds })
  if (!fits) throw new ServiceError('rate_limited', undefined, { retryAfterSeconds: resetSeconds })
}

/** The network that an address shares with its neighbours: a /24 of IPv4; a /56 of IPv6, which is the most that one subscriber gets (RFC 6177). */
export function wideNetworkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? 24 : 56
  const kept = parsed.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(kept).toString()}/${bits}`
}

/** The unit that requests are counted by: an IPv4 address, or the /64 of an IPv6 address, which belongs to one subscriber. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  // Also reads ::ffff:192.0.2.1 as 192.0.2.1.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}

const windowSeconds = 60
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
  config: Pick<Config, 'RATE_LIMIT_PER_ACCOUNT' | 'OAUTH_CLIENTS'>,
): CheckKey {
  const { RATE_LIMIT_PER_ACCOUNT: limit } = config
  const approvedClientIds = approvedClientIdsOf(config)
  return batchByKey(async (token, count) => {
    let credential: KeyCredential | undefined
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
async function takeForEach(
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

/** Then this process counts alone, and asks again after a while. */
const addressAnswerMilliseconds = 2_000
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
    const uses = await takeForEach(limit, ahead + count, take, addressAnswerMilliseconds)
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

/** Requests of one kind that take much of the process or its database: a few at a time, and of one account fewer. */
export interface Shares {
  /** Takes a share, and returns what gives it back. Throws `rate_limited` if none is left. */
  take(accountId: string): () => void
}

interface SharesLimits {
  /** What the requests are called, in the plural. */
  readonly name: string
  readonly perAccount: number
  readonly perProcess: number
}

export function createShares({ name, perAccount, perProcess }: SharesLimits): Shares {
  const taken = createCounts()
  let all = 0
  return {
    take: (accountId) => {
      const own = taken.of(accountId)
      if (own >= perAccount || all >= perProcess) {
        const whose = own >= perAccount ? `${perAccount} ${name} of this account` : `Too many ${name}`
        throw new ServiceError(
          'rate_limited',
          `${whose} are in progress. Send this again when some of them have ended.`,
          { retryAfterSeconds: 1 },
        )
      }
      taken.add(accountId)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        taken.remove(accountId)
      }
    },
  }
}

/** Shares that stay taken until `giveBack`, and not only as long as each of their takers needs them. */
export function holdShares({ take }: Shares): Shares & { readonly giveBack: () => void } {
  const taken: (() => void)[] = []
  return {
    take: (accountId) => {
      taken.push(take(accountId))
      return () => {}
    },
    giveBack: () => {
      for (const giveBack of taken) giveBack()
    },
  }
}
