import { ApiError } from './errors.ts'
import { type Http, isWorthRetrying, pause, type RequestOptions } from './http.ts'
import type { WebhookEvent } from './webhooks.ts'

/** What happened in the account, as webhook endpoints receive it. */
export interface AccountEvent extends WebhookEvent {
  readonly id: string
}

export interface EventFilters {
  /** Only events after the one with this id, or from now on with `latest`. From the oldest that is kept when left out. */
  readonly after?: string
  /** Such as `job.completed`. */
  readonly type?: string
}

const pollSeconds = 50

const isGone = (error: unknown) => error instanceof ApiError && error.code === 'not_found'

/** The events of the account, the oldest first, and new ones as they happen, until the caller stops. A service that restarts is waited for. */
export async function* readEvents(
  http: Http,
  { after, type }: EventFilters,
  { signal }: RequestOptions,
): AsyncGenerator<AccountEvent> {
  let position = after
  let isKnown = false
  for (let failures = 0; ; ) {
    const began = Date.now()
    // A wait that breaks would begin again at a later event.
    const wait = position === 'latest' ? 0 : pollSeconds
    const query = { after: position, type, wait }
    const options = { timeoutSeconds: wait + 20, ...(signal && { signal }) }
    const page = await http
      .json<{ events: AccountEvent[]; next_after?: string }>({ method: 'GET', path: '/v1/events', query, ...options })
      .catch((error: unknown) => {
        // The service keeps events for some days only: all that it has come after one that it had.
        if (isKnown && isGone(error)) position = undefined
        else if (!isWorthRetrying(error)) throw error
      })
    failures = page ? 0 : failures + 1
    if (page) {
      isKnown = true
      yield* page.events
      position = page.next_after
      if (wait === 0 || page.events.length > 0) continue
    }
    // A service that is down is asked rarely, and one that has too many waits answers early.
    await pause(Math.max(0, began + 1000 * Math.min(10, 1 + failures) - Date.now()) / 1000, signal)
  }
}
