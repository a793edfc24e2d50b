import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Global addresses that only reach the cloud host beneath a virtual machine (Azure's WireServer). */
const hostServices = new Set(['168.63.129.16'])

const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address, as a resolver or the URL parser spells it, is global unicast and nothing else: in none of the
 * IANA special-purpose registries, and no IPv6 form that carries an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo).
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
