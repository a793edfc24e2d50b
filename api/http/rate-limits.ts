import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { ServiceError } from '../../src/core/errors.ts'
import { accountSubject } from '../../src/store/credentials.ts'
import type { QuotaUse } from '../../src/store/quotas.ts'
import { createAddressCounter } from './address-counter.ts'
import type { ApiContext, App } from './context.ts'
import { jsonBodyLimit } from './json-body.ts'
import { type CountRequest, createSharedCounter } from './request-counter.ts'

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

/** Limits the requests of each address (each /64 for IPv6), even without the database. */
export function limitAddresses(scope: App, { config, db, logger }: Deps): void {
  const limit = config.RATE_LIMIT_PER_ADDRESS
  const count = createAddressCounter(db, limit, logger)
  scope.addHook('onRequest', async (request, reply) => {
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
