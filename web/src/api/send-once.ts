type Send = (request: Request) => Promise<Response>

/** What costs, or goes on costing. The service makes it once for each `Idempotency-Key`, within a day. */
const costly = /^\/v1\/(jobs|batches|directives|workflows\/[^/]+\/runs)$/

/** The second click of a double click may come after the answer to the first. */
const doubleClickMs = 1_000

/**
 * Gives a costly request a key, which the same request has again until the service has made what it asks for: if the answer is lost on
 * its way, a person who tries again pays once. A refusal makes nothing, and may come while the first try is still unknown.
 */
export function sendOnce(send: Send): Send {
  const keys = new Map<string, string>()
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method !== 'POST' || !costly.test(pathname)) return send(request)
    const asked = `${pathname} ${await request.clone().text()}`
    const key = keys.get(asked) ?? newKey()
    keys.set(asked, key)
    request.headers.set('idempotency-key', key)
    const response = await send(request)
    // The connection can break within the answer, too.
    await response.clone().arrayBuffer()
    // The same request may have another key by then.
    const forget = () => {
      if (keys.get(asked) === key) keys.delete(asked)
    }
    if (response.ok) setTimeout(forget, doubleClickMs)
    return response
  }
}

/** `crypto.randomUUID` is missing on plain http addresses of other machines. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
