import { promises as dns, type LookupAddress } from 'node:dns'
import { type AllowHosts, isAllowedHost } from '../../core/target-policy.ts'

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
