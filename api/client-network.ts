import ipaddr from 'ipaddr.js'

/** What requests are counted by: an IPv4 address, or the /64 of an IPv6 address, which one subscriber has for himself. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  // Also takes ::ffff:192.0.2.1 for 192.0.2.1.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
