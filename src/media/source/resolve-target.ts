import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../core/address-policy.ts'
import { type AllowHosts, blocked, checkTarget, hostOf, isAllowedHost } from '../../core/target-policy.ts'

/**
 * The addresses that a connection to the URL may use, at most eight of each family. Throws `media_blocked` if any of the name's is not public. The connection
 * uses exactly these addresses, so that a name cannot resolve differently after the check.
 */
export async function resolveTarget(
  url: URL,
  allowHosts: AllowHosts,
  resolveHost: (hostname: string) => Promise<readonly LookupAddress[]>,
): Promise<readonly LookupAddress[]> {
  checkTarget(url, allowHosts)
  const host = hostOf(url)
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await resolveHost(host)
  if (addresses.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
  const refused = addresses.find(({ address }) => !isPublicAddress(address))
  if (refused && !isAllowedHost(url, allowHosts)) throw blocked(`${host} is at ${refused.address}`)
  return firstOfEachFamily(addresses)
}

/** The most addresses of a family to which a connection is tried: a name can have thousands, and most servers have a few. */
const maxAddresses = 8

function firstOfEachFamily(addresses: readonly LookupAddress[]): readonly LookupAddress[] {
  const counts = new Map<number, number>()
  return addresses.filter(({ family }) => {
    const count = (counts.get(family) ?? 0) + 1
    counts.set(family, count)
    return count <= maxAddresses
  })
}
