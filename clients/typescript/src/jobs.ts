import type { ExportFormat } from './endpoints.gen.ts'
import { type CreateOptions, type Http, type Query, type RequestOptions, trusted } from './http.ts'
import { type List, list } from './lists.ts'
import type { CompletedJob, EndpointId, Job, JobRequest, Schemas } from './types.ts'
import { type WaitOptions, waitFor } from './wait.ts'

/** What lists of jobs and runs are filtered by. Times are ISO 8601, names those of files. */
export interface ListFilters {
  readonly status?: 'queued' | 'running' | 'completed' | 'failed'
  readonly media_name?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly created_after?: string
  readonly created_before?: string
  /** Entries of a page. */
  readonly limit?: number
}

/** What an export is written with; `docs/exports.md` of the service describes it. */
export interface ExportOptions {
  readonly list?: string
  readonly what?: 'markers' | 'cuts'
  /** Ids of further jobs on the same media, separated by commas. */
  readonly jobs?: string
  readonly fps?: string
  /** Where the media is, so that an editor finds it. */
  readonly media_path?: string
  readonly reel?: string
  readonly record_start?: string
  readonly output_of?: string
  /** Called with what the program that reads the file will not show, such as chapters that are too few for YouTube. */
  readonly onWarning?: (warning: string) => void
}

interface Envelope<E extends EndpointId> {
  readonly job: Job<E>
}

export type Jobs = ReturnType<typeof createJobs>

/** Jobs: one search or one cut each. */
export function createJobs(http: Http) {
  const get = async <E extends EndpointId = EndpointId>(id: string, options: RequestOptions = {}, query: Query = {}) =>
    (await http.json<Envelope<E>>({ ...options, method: 'GET', path: `/v1/jobs/${id}`, query })).job

  const create = async <E extends EndpointId>(request: JobRequest<E>, options: CreateOptions = {}) =>
    (await http.json<Envelope<E>>({ ...options, method: 'POST', path: '/v1/jobs', body: request })).job

  /** Waits until a job has ended. Throws `FailedError` if it failed. */
  const wait = async <E extends EndpointId = EndpointId>(id: string, options: WaitOptions = {}) =>
    completed<E>(await waitFor((query, request) => get<E>(id, request, query), id, options))

  return {
    create,
    get,
    wait,
    /** Creates a job and waits for its result, which is typed by its endpoint. */
    run: async <E extends EndpointId>(
      request: JobRequest<E>,
      options: WaitOptions & Pick<CreateOptions, 'idempotencyKey'> = {},
    ): Promise<CompletedJob<E>> => await wait<E>((await create(request, options)).id, options),
    /** The newest first, without their settings and results. */
    list: (
      filters: ListFilters & { endpoint?: EndpointId; run_id?: string } = {},
      options: RequestOptions = {},
    ): List<Job> => list(http, 'jobs', { path: '/v1/jobs', query: { ...filters }, ...options }),
    cancel: async (id: string, options: RequestOptions = {}) =>
      (await http.json<Envelope<EndpointId>>({ ...options, method: 'POST', path: `/v1/jobs/${id}/cancel`, body: {} }))
        .job,
    /** Erases a job with its results and files. */
    delete: (id: string, options: RequestOptions = {}) =>
      http.json<Schemas['Deletion']>({ ...options, method: 'DELETE', path: `/v1/jobs/${id}` }),
    /** What a job finds or cuts, as a file for editors, players and spreadsheets. */
    export: async (id: string, as: ExportFormat, options: ExportOptions & RequestOptions = {}) =>
      await exportOf(http, `/v1/jobs/${id}/export`, as, options),
    /** The maximum price of a job, in dollars. Creates nothing. */
    estimate: <E extends EndpointId>(
      { callback_url: _callback, max_price_usd: _limit, ...request }: JobRequest<E> & { media_seconds?: number },
      options: RequestOptions = {},
    ) => http.json<Schemas['Estimate']>({ ...options, method: 'POST', path: '/v1/estimate', body: request }),
  }
}

function completed<E extends EndpointId>(job: Job<E>): CompletedJob<E> {
  // A completed job has a result: the contract says so, its schema cannot.
  return trusted<CompletedJob<E>>(job)
}

export async function exportOf(
  http: Http,
  path: string,
  as: ExportFormat,
  { signal, timeoutSeconds, onWarning, ...options }: ExportOptions & RequestOptions,
): Promise<string> {
  const request = { ...(signal && { signal }), ...(timeoutSeconds !== undefined && { timeoutSeconds }) }
  const { headers, text } = await http.answer({ ...request, method: 'GET', path, query: { as, ...options } })
  const warning = headers.get('x-export-warning')
  if (warning !== null) onWarning?.(warning)
  return text
}
