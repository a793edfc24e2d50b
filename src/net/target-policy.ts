import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ServiceError } from '../core/errors.ts'

/** Targets that a development or test set-up allows by name: `host` for any port, or `host:port`. */
export type AllowHosts = readonly string[]

/** Names that mean this machine or this network (RFC 6761, 6762, 8375, and ICANN's `internal`), and one-label names. */
const localName = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/

/** One message for every refusal, so that it reveals nothing about an address. The cause is only logged. */
export function blocked(reason: string): ServiceError {
  return new ServiceError('media_blocked', undefined, { cause: new Error(reason) })
}

/** The host as used for connections: without brackets and trailing dots. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

/** Whether the set-up allows this host, so that its address and port are not checked. */
export function isAllowedHost(url: URL, allowHosts: AllowHosts): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return allowHosts.some((entry) => {
    const allowed = parseEntry(entry)
    return allowed?.host === hostOf(url) && (allowed.port === undefined || allowed.port === port)
  })
}

/** Throws `media_blocked` for a URL that is not allowed, whatever its name resolves to: for its scheme, port, local name or address. */
export function checkTarget(url: URL, allowHosts: AllowHosts): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw blocked(`scheme ${url.protocol}`)
  if (url.username || url.password) throw blocked('credentials in the URL')
  if (isAllowedHost(url, allowHosts)) return
  // The URL parser omits the scheme's default port.
  if (url.port && url.port !== '80' && url.port !== '443') throw blocked(`port ${url.port}`)
  const host = hostOf(url)
  if (!isIPv6(host) && localName.test(host)) throw blocked(`local name ${host}`)
  if (isIP(host) && !isPublicAddress(host)) throw blocked(`address ${host}`)
}

/** Throws `media_blocked` for a redirect from https to http, unless the set-up allows both hosts. */
export function checkRedirect(from: URL, to: URL, allowHosts: AllowHosts): void {
  const isDowngrade = from.protocol === 'https:' && to.protocol === 'http:'
  if (isDowngrade && !(isAllowedHost(from, allowHosts) && isAllowedHost(to, allowHosts))) {
    throw blocked('redirect from https to http')
  }
}

function parseEntry(entry: string): { host: string; port: string | undefined } | undefined {
  if (isIPv6(entry)) return parseEntry(`[${entry}]`)
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  const url = `http://${name}`
  return URL.canParse(url) ? { host: hostOf(new URL(url)), port } : undefined
}

/** Global addresses that reach only the cloud host of a virtual machine (Azure's WireServer). */
const hostServices = new Set(['168.63.129.16'])

const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address, as spelled by a resolver or the URL parser, is plain global unicast: not in an IANA special-purpose
 * registry, and not an IPv6 form that embeds an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false
  switch (isIP(address)) {
    case 4:
      return ipaddr.IPv4.parse(address).range() === 'unicast' && !hostServices.has(address)
    case 6: {
      const parsed = ipaddr.IPv6.parse(address)
      return parsed.match(globalUnicastV6) && parsed.range() === 'unicast'
    }
    default:
      return false
  }
}
