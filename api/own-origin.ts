import type { FastifyRequest } from 'fastify'
import type { Config } from '../src/config.ts'
import { ServiceError } from '../src/core/errors.ts'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Refuses with `csrf_failed` what a page of another site made a browser send: browsers name the origin with every request
 * that changes something. Without cookies there is nothing to misuse, and a caller without an origin is no browser.
 */
export function assertOwnOrigin(request: FastifyRequest, { BASE_URL }: Pick<Config, 'BASE_URL'>): void {
  if (safeMethods.includes(request.method)) return
  const { origin, cookie } = request.headers
  if (origin === new URL(BASE_URL).origin) return
  if (origin === undefined && cookie === undefined) return
  throw new ServiceError('csrf_failed')
}
