import { type Batches, createBatches, createDirectives, type Directives } from './batches.ts'
import { MediaTimelineError } from './errors.ts'
import { type AccountEvent, type EventFilters, readEvents } from './events.ts'
import { createHttp, type Http, type RequestOptions } from './http.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { type List, list } from './lists.ts'
import type { Schemas, Usage } from './types.ts'
import { createUploads, type Uploads } from './uploads.ts'
import { callbackSecretOf, verifyWebhook } from './webhooks.ts'
import { createWorkflowRuns, type WorkflowRuns } from './workflow-runs.ts'

export interface ClientOptions {
  /** An API key. That of the variable MEDIA_TIMELINE_API_KEY when left out. */
  readonly apiKey?: string
  /** The address of the service. MEDIA_TIMELINE_URL when left out, and without it `http://127.0.0.1:3000`. */
  readonly baseUrl?: string
  /** Attempts after the first one, for connections that fail and answers that ask to try again. 2 when left out. */
  readonly maxRetries?: number
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** The client of a Media Timeline service, for code on a server: an API key must not reach a browser. */
export class MediaTimeline {
  readonly jobs: Jobs
  readonly workflowRuns: WorkflowRuns
  readonly batches: Batches
  readonly directives: Directives
  readonly uploads: Uploads
  readonly webhooks: {
    readonly verify: typeof verifyWebhook
    /** Signs the callbacks of this client's jobs and runs. */
    readonly callbackSecret: string
  }
  readonly #http: Http

  constructor({ apiKey, baseUrl, maxRetries = 2, fetch = globalThis.fetch }: ClientOptions = {}) {
    const { MEDIA_TIMELINE_API_KEY, MEDIA_TIMELINE_URL } = process.env
    const key = apiKey ?? MEDIA_TIMELINE_API_KEY
    if (!key) throw new MediaTimelineError('There is no API key. Give apiKey, or set MEDIA_TIMELINE_API_KEY.')
    const http = createHttp({
      apiKey: key,
      baseUrl: (baseUrl ?? (MEDIA_TIMELINE_URL || 'http://127.0.0.1:3000')).replace(/\/+$/, ''),
      maxRetries,
      fetch,
    })
    this.jobs = createJobs(http)
    this.workflowRuns = createWorkflowRuns(http)
    this.batches = createBatches(http)
    this.directives = createDirectives(http)
    this.uploads = createUploads(http)
    this.webhooks = { verify: verifyWebhook, callbackSecret: callbackSecretOf(key) }
    this.#http = http
  }

  /** Finds what was said and what was on the screen, over all jobs of the account. */
  search(text: string, options: RequestOptions = {}): List<Schemas['SearchPage']['results'][number]> {
    return list(this.#http, 'results', { path: '/v1/search', query: { q: text }, ...options })
  }

  /** Jobs and costs between two days, such as `2026-11-01`, both included: of the current month when left out. */
  usage(filters: { from?: string; to?: string; group_by?: string } = {}, options: RequestOptions = {}): Promise<Usage> {
    return this.#http.json<Usage>({ ...options, method: 'GET', path: '/v1/usage', query: filters })
  }

  /** What happens in the account, as `for await` reads it: kept events first, then new ones as they happen. Needs a key of the scope all. */
  events(filters: EventFilters = {}, options: RequestOptions = {}): AsyncGenerator<AccountEvent> {
    return readEvents(this.#http, filters, options)
  }

  /** The endpoints of the service, with their settings and prices. */
  catalog(options: RequestOptions = {}): Promise<Schemas['Catalog']> {
    return this.#http.json<Schemas['Catalog']>({ ...options, method: 'GET', path: '/v1/catalog' })
  }
}
