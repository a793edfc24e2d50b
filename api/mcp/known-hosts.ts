import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import { type BaseAddresses, basesOf } from '../../src/core/urls.ts'

const allowed = { 'access-control-allow-methods': 'GET, POST, OPTIONS', 'access-control-max-age': '600' }
const exposed = { 'access-control-expose-headers': 'www-authenticate, x-request-id, retry-after' }

/**
 * Refuses requests to unknown hosts and from pages of unknown hosts, so that no page can reach this endpoint under its own
 * name (DNS rebinding). This machine is always a known host: agents and their inspectors run there.
 */
export function createHostCheck(bases: BaseAddresses): (request: FastifyRequest, reply: FastifyReply) => void {
  const hosts = [...basesOf(bases).map((base) => new URL(base).hostname), ...localhostAllowedHostnames()]
  return (request, reply) => {
    const { origin } = request.headers
    if (!validateHostHeader(request.host, hosts).ok) {
      throw new ServiceError('csrf_failed', `This service does not answer for this host. Use ${bases.BASE_URL}.`)
    }
    if (!validateOriginHeader(origin, hosts).ok) {
      throw new ServiceError('csrf_failed', 'Pages of this origin cannot call this endpoint. Call it from a server.')
    }
    if (origin === undefined) return
    const requestedHeaders = request.headers['access-control-request-headers']
    reply.headers({ 'access-control-allow-origin': origin, vary: 'origin', ...exposed })
    if (request.method !== 'OPTIONS') return
    reply.headers({ ...allowed, ...(requestedHeaders ? { 'access-control-allow-headers': requestedHeaders } : {}) })
  }
}

/** The base address that the request was sent to, otherwise BASE_URL. */
export function baseAsked(bases: BaseAddresses, { host }: Pick<FastifyRequest, 'host'>): string {
  return basesOf(bases).find((base) => new URL(base).host === host) ?? bases.BASE_URL
}
