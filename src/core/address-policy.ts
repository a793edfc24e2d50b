import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

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
