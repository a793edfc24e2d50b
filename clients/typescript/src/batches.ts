import type { CreateOptions, Http, Query, RequestOptions } from './http.ts'
import { type List, list } from './lists.ts'
import type { Batch, BatchItem, Directive, Schemas } from './types.ts'
import { type WaitOptions, waitFor } from './wait.ts'

export interface ItemFilters {
  readonly status?: BatchItem['status']
  /** Entries of a page. */
  readonly limit?: number
}

type Retry = Schemas['BatchRetry']

export type Batches = ReturnType<typeof createBatches>

/** One chain or endpoint for up to 1,000 media, within one cap. */
export function createBatches(http: Http) {
  type Envelope = { readonly batch: Batch }
  const get = async (id: string, options: RequestOptions = {}, query: Query = {}) =>
    (await http.json<Envelope>({ ...options, method: 'GET', path: `/v1/batches/${id}`, query })).batch
  const create = async (request: Schemas['BatchRequest'], options: CreateOptions = {}) =>
    (await http.json<Envelope>({ ...options, method: 'POST', path: '/v1/batches', body: request })).batch
  const change = async (id: string, what: 'retry' | 'cancel', body: object, options: RequestOptions) =>
    (await http.json<Envelope>({ ...options, method: 'POST', path: `/v1/batches/${id}/${what}`, body })).batch
  /** Waits until every item has ended: `items.failed` says how many failed. */
  const wait = (id: string, options: WaitOptions = {}): Promise<Batch> =>
    waitFor((query, request) => get(id, request, query), id, options)

  return {
    create,
    get,
    wait,
    /** Runs a batch and waits for its end. */
    run: async (request: Schemas['BatchRequest'], options: WaitOptions & Pick<CreateOptions, 'idempotencyKey'> = {}) =>
      await wait((await create(request, options)).id, options),
    /** The newest first. */
    list: (page: { limit?: number } = {}, options: RequestOptions = {}): List<Batch> =>
      list(http, 'batches', { path: '/v1/batches', query: { ...page }, ...options }),
    /** Its media with their runs, in the order of the request. */
    items: (id: string, filters: ItemFilters = {}, options: RequestOptions = {}): List<BatchItem> =>
      list(http, 'items', { path: `/v1/batches/${id}/items`, query: { ...filters }, ...options }),
    /** Runs the failed items again. */
    retry: (id: string, request: Retry = {}, options: RequestOptions = {}) => change(id, 'retry', request, options),
    cancel: (id: string, options: RequestOptions = {}) => change(id, 'cancel', {}, options),
    /** Deletes a batch that has ended. Its runs stay. */
    delete: (id: string, options: RequestOptions = {}) =>
      http.json<Schemas['Deletion']>({ ...options, method: 'DELETE', path: `/v1/batches/${id}` }),
  }
}

export type Directives = ReturnType<typeof createDirectives>

/** One chain or endpoint for each upload that arrives and matches. */
export function createDirectives(http: Http) {
  type Envelope = { readonly directive: Directive }
  const send = async (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    { body, ...options }: CreateOptions & { readonly body?: object },
  ) =>
    (await http.json<Envelope>({ ...options, method, path: `/v1/directives${path}`, ...(body && { body }) })).directive

  return {
    create: (request: Schemas['DirectiveRequest'], options: CreateOptions = {}) =>
      send('POST', '', { ...options, body: request }),
    get: (id: string, options: RequestOptions = {}) => send('GET', `/${id}`, options),
    /** Turns it on or off, or changes what it may spend. */
    change: (id: string, change: Schemas['DirectiveChange'], options: RequestOptions = {}) =>
      send('PATCH', `/${id}`, { ...options, body: change }),
    list: (options: RequestOptions = {}): List<Directive> =>
      list(http, 'directives', { path: '/v1/directives', query: {}, ...options }),
    /** The uploads that it took with their runs, the newest first. */
    items: (id: string, filters: ItemFilters = {}, options: RequestOptions = {}): List<BatchItem> =>
      list(http, 'items', { path: `/v1/directives/${id}/items`, query: { ...filters }, ...options }),
    delete: (id: string, options: RequestOptions = {}) =>
      http.json<Schemas['Deletion']>({ ...options, method: 'DELETE', path: `/v1/directives/${id}` }),
  }
}
