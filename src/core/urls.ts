export interface BaseAddresses {
  readonly BASE_URL: string
  readonly FALLBACK_BASE_URL?: string | undefined
}

/** The addresses of the service, the main one first. */
export function basesOf({ BASE_URL, FALLBACK_BASE_URL }: BaseAddresses): [string, ...string[]] {
  return [BASE_URL, ...(FALLBACK_BASE_URL ? [FALLBACK_BASE_URL] : [])]
}

/** The path of the URL below one of our base addresses, with its leading slash; undefined for other addresses. */
export function pathUnder(bases: readonly string[], url: URL): string | undefined {
  const address = `${url.origin}${url.pathname}`
  const base = bases.map((each) => new URL(each).href.replace(/\/$/, '')).find((each) => address.startsWith(`${each}/`))
  return base && address.slice(base.length)
}

/** Whether the host is this machine: `localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
