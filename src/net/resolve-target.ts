import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { type AllowHosts, blocked, checkTarget, hostOf, isAllowedHost, isPublicAddress } from './target-policy.ts'

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

/**
 * Resolves a name to all its addresses, until the signal aborts. Rejects with an error whose code is `ENOTFOUND`, `ENODATA` or
 * `EBADNAME` if the name has none.
 */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>

/** Of one query. With the next try, which waits twice as long, a look-up ends within the time to connect. */
const queryMs = 2_000
const tries = 2

/** Knows `/etc/hosts`, as every program of this machine. */
export const resolveWithSystem: ResolveHost = (hostname) => dns.lookup(hostname, { all: true })

/**
 * Asks the DNS servers of `/etc/resolv.conf`. `dns.lookup` would take one of the process's four threads, of which it may use
 * two, until a name's servers answer: a few that never do would delay every other name.
 */
export function createDnsResolver(servers?: readonly string[]): ResolveHost {
  return async (hostname, signal) => {
    const resolver = new dns.Resolver({ timeout: queryMs, tries })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const looking = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const
      const [four, six] = await Promise.allSettled(looking)
      if (four.status === 'rejected' && six.status === 'rejected') throw decisive(four.reason, six.reason)
      return [...addressesOf(four, 4), ...addressesOf(six, 6)]
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

const resolveWithDns = createDnsResolver()

/** The system's resolver for hosts that the operator allowed, which can be in `/etc/hosts`; DNS for the names of callers. */
export function resolverFor(url: URL, allowHosts: AllowHosts): ResolveHost {
  return isAllowedHost(url, allowHosts) ? resolveWithSystem : resolveWithDns
}

/** A name without IPv4 addresses may still have IPv6 addresses that could not be looked up, and the reverse. */
function decisive(...failures: readonly [unknown, unknown]): unknown {
  const hasNone = (failure: unknown) => failure instanceof Error && 'code' in failure && failure.code === dns.NODATA
  return failures.find((failure) => !hasNone(failure)) ?? failures[0]
}

function addressesOf(found: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
}
