import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { ServiceError } from '../../src/core/errors.ts'
import { accountSubject } from '../../src/store/credentials.ts'
import type { QuotaUse } from '../../src/store/quotas.ts'
import { createAddressCounter } from './address-counter.ts'
import type { ApiContext, App } from './context.ts'
import { createSharedCounter } from './request-counter.ts'

type Deps = Pick<ApiContext, 'config' | 'db' | 'logger'>
type CallerOf = (request: object) => { readonly accountId: string } | undefined

const addressSubject = ({ ip }: FastifyRequest) => `address ${networkOf(ip)}`

/** Limits the requests of each address (each /64 for IPv6), even without the database. */
export function limitAddresses(scope: App, { config, db, logger }: Deps): void {
  const limit = config.RATE_LIMIT_PER_ADDRESS
  const count = createAddressCounter(db, limit, logger)
  scope.addHook('onRequest', async (request, reply) => assertFits(reply, limit, await count(addressSubject(request))))
}

/** Counts each message of a batch after the first as a request of its own. Throws `rate_limited` if they exceed a limit. */
export function createBatchLimit({ config, db, logger }: Deps, callerOf: CallerOf) {
  const countAddress = createAddressCounter(db, config.RATE_LIMIT_PER_ADDRESS, logger)
  const countAccount = createSharedCounter(db, config.RATE_LIMIT_PER_ACCOUNT)
  return async (request: FastifyRequest, messages: number): Promise<void> => {
    const caller = callerOf(request)
    const counts = Array.from({ length: messages - 1 }, () => [
      countAddress(addressSubject(request)),
      ...(caller ? [countAccount(accountSubject(caller.accountId))] : []),
    ])
    const refused = (await Promise.all(counts.flat())).find(({ fits }) => !fits)
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
