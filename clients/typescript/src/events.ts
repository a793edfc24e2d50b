import { type Http, isWorthRetrying, pause, type RequestOptions } from './http.ts'
import type { WebhookEvent } from './webhooks.ts'

/** What happened in the account, as webhook endpoints receive it. */
export interface AccountEvent extends WebhookEvent {
  readonly id: string
}

export interface EventFilters {
  /** Only events after the one with this id; from the oldest that is kept when left out. */
  readonly after?: string
  /** Such as `job.completed`. */
  readonly type?: string
}

const pollSeconds = 50

/** The events of the account, the oldest first, and new ones as they happen, until the caller stops. A service that restarts is waited for. */
export async function* readEvents(
  http: Http,
  { after, type }: EventFilters,
  { signal }: RequestOptions,
): AsyncGenerator<AccountEvent> {
  let last = after
  for (let failures = 0; ; ) {
    const query = { after: last, type, wait: pollSeconds }
    const options = { timeoutSeconds: pollSeconds + 20, ...(signal && { signal }) }
    const page = await http
      .json<{ events: AccountEvent[] }>({ method: 'GET', path: '/v1/events', query, ...options })
      .catch((error: unknown) => {
        if (!isWorthRetrying(error)) throw error
      })
    failures = page ? 0 : failures + 1
    if (!page) await pause(Math.min(failures, 10), signal)
    for (const event of page?.events ?? []) {
      yield event
      last = event.id
    }
  }
}
