import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { ServiceError } from '../../src/core/errors.ts'
import type { ApiContext, App } from './context.ts'
import { type CountRequest, createSharedCounter, createSteadyCounter } from './request-counter.ts'

type Deps = Pick<ApiContext, 'config' | 'db' | 'logger'>

/** Limits the requests of each address (each /64 for IPv6), even without the database. */
export function limitAddresses(scope: App, { config, db, logger }: Deps): void {
  const count = createSteadyCounter(db, config.RATE_LIMIT_PER_ADDRESS, logger)
  limit(scope, count, config.RATE_LIMIT_PER_ADDRESS, ({ ip }) => `address ${networkOf(ip)}`)
}

/** Limits the requests of each account over all its keys. */
export function limitAccounts(
  scope: App,
  { config, db }: Deps,
  credentialOf: (request: object) => { readonly accountId: string } | undefined,
): void {
  const count = createSharedCounter(db, config.RATE_LIMIT_PER_ACCOUNT)
  limit(scope, count, config.RATE_LIMIT_PER_ACCOUNT, (request) => {
    const credential = credentialOf(request)
    return credential && `account ${credential.accountId}`
  })
}

/** The headers show the last limit that the request passed: the account's, if there is one. */
function limit(
  scope: App,
  count: CountRequest,
  most: number,
  subjectOf: (request: FastifyRequest) => string | undefined,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    const subject = subjectOf(request)
    if (subject === undefined) return
    const { fits, left, resetSeconds } = await count(subject)
    reply.headers({ 'ratelimit-limit': most, 'ratelimit-remaining': left, 'ratelimit-reset': resetSeconds })
    if (!fits) throw new ServiceError('rate_limited', undefined, { retryAfterSeconds: resetSeconds })
  })
}

/** The unit that requests are counted by: an IPv4 address, or the /64 of an IPv6 address, which belongs to one subscriber. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  // Also reads ::ffff:192.0.2.1 as 192.0.2.1.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
