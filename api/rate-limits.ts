import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../src/config.ts'
import { ServiceError } from '../src/core/errors.ts'
import type { AccountOf, App } from './context.ts'

type Limits = Pick<Config, 'RATE_LIMIT_PER_ACCOUNT' | 'RATE_LIMIT_PER_ADDRESS'>

/** Counts the requests of each address (of each /64 for IPv6). `app` has the rate-limit plugin. */
export function limitAddresses(app: FastifyInstance, scope: App, { RATE_LIMIT_PER_ADDRESS: max }: Limits): void {
  limit(
    scope,
    app.createRateLimit({ max, timeWindow: 60_000, keyGenerator: (request) => `address ${normalizeIP(request.ip)}` }),
  )
}

/** Counts the requests of each account, whichever of its keys they carry. */
export function limitAccounts(
  app: FastifyInstance,
  scope: App,
  { RATE_LIMIT_PER_ACCOUNT: max }: Limits,
  credentialOf: AccountOf,
): void {
  limit(
    scope,
    app.createRateLimit({ max, timeWindow: 60_000, keyGenerator: (request) => credentialOf(request).accountId }),
  )
}

type Limiter = ReturnType<FastifyInstance['createRateLimit']>

/** The headers show the last limit that a request passed: the account's where there is one. */
function limit(scope: App, count: Limiter): void {
  scope.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const counted = await count(request)
    if (counted.isAllowed) return
    reply.headers({
      'ratelimit-limit': counted.max,
      'ratelimit-remaining': counted.remaining,
      'ratelimit-reset': counted.ttlInSeconds,
    })
    if (!counted.isExceeded) return
    reply.header('retry-after', Math.max(1, counted.ttlInSeconds))
    throw new ServiceError('rate_limited')
  })
}
