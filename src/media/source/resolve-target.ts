import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { isPublicAddress } from './address-policy.ts'
import { type AllowHosts, blocked, checkTarget, hostOf, isAllowedHost } from './target-policy.ts'

/** Every address of a name. Fails as `dns.lookup` does. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

export const resolveWithSystem: ResolveHost = (hostname) => dns.lookup(hostname, { all: true })

/**
 * The addresses that a connection to the URL may use, all of them checked: one that is not public refuses the name. The
 * connection uses these very addresses, so that a name cannot answer differently once it is checked.
 */
export async function resolveTarget(
  url: URL,
  allowHosts: AllowHosts,
  resolveHost: ResolveHost,
): Promise<readonly LookupAddress[]> {
  checkTarget(url, allowHosts)
  const host = hostOf(url)
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await resolveHost(host)
  if (addresses.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
  const refused = addresses.find(({ address }) => !isPublicAddress(address))
  if (refused && !isAllowedHost(url, allowHosts)) throw blocked(`${host} is at ${refused.address}`)
  return addresses
}
