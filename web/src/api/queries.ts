import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, resultOf } from './client.ts'
import type { components } from './generated/schema.d.ts'
import { isOpen } from './is-open.ts'
import { unlessLive } from './live.ts'

// What the pages read. A change of it invalidates the query by its key.

/** A key, or a connector, which can have more. */
export type Credential = components['schemas']['Connector']

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 5 * 60_000,
  // It may have ended in another tab.
  refetchOnWindowFocus: 'always',
  queryFn: () => resultOf(api.GET('/api/auth/get-session')),
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await resultOf(api.GET('/v1/keys'))).keys,
})

export const connectorsQuery = queryOptions({
  queryKey: ['connectors'],
  queryFn: async () => (await resultOf(api.GET('/api/dashboard/connectors'))).connectors,
})

export type Limits = components['schemas']['AccountLimits']['limits']

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: async () => (await resultOf(api.GET('/v1/account/limits'))).limits,
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await resultOf(api.GET('/api/auth/list-sessions'))).sessions,
})

/** The usage from the first to the last day, both as YYYY-MM-DD in UTC, of each day, endpoint or key. */
export function usageQuery(from: string, to: string, group_by: 'day' | 'endpoint' | 'key') {
  return queryOptions({
    queryKey: ['usage', from, to, group_by],
    // Every job that ends changes it.
    staleTime: 0,
    queryFn: () => resultOf(api.GET('/v1/usage', { params: { query: { from, to, group_by } } })),
  })
}

/** What the service offers, which changes with its release only. */
export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await resultOf(api.GET('/v1/catalog'))).endpoints,
})

/** The chains of several endpoints, which change with the release too. */
export const workflowsQuery = queryOptions({
  queryKey: ['workflows'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await resultOf(api.GET('/v1/workflows'))).workflows,
})

export const invoicesQuery = queryOptions({
  queryKey: ['invoices'],
  queryFn: async () => (await resultOf(api.GET('/v1/account/invoices'))).invoices,
})

export type WebhookEndpoint = components['schemas']['WebhookEndpoint']

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async () => (await resultOf(api.GET('/v1/webhook-endpoints'))).webhook_endpoints,
})

/** What was sent to a webhook endpoint last. Asks again while something is under way. */
export function deliveriesQuery(endpointId: string) {
  return queryOptions({
    queryKey: ['webhooks', endpointId],
    queryFn: async () => {
      const params = { path: { webhook_endpoint_id: endpointId }, query: { limit: 20 } }
      return (await resultOf(api.GET('/v1/webhook-endpoints/{webhook_endpoint_id}/deliveries', { params }))).deliveries
    },
    refetchInterval: ({ state }) => (state.data?.some(({ attempts }) => attempts === 0) ? 1000 : false),
  })
}

export type Brand = components['schemas']['Brand']

export const brandsQuery = queryOptions({
  queryKey: ['brands'],
  queryFn: async () => (await resultOf(api.GET('/v1/brands'))).brands,
})

export type Upload = components['schemas']['Upload']

/** An upload that is read alone: with an address where it plays for a while, once its bytes have arrived. */
export type PlayableUpload = components['schemas']['ReadUploadEnvelope']['upload']

const pageOf = (cursor: string) => ({ limit: 20, ...(cursor ? { cursor } : {}) })

export const uploadsQuery = infiniteQueryOptions({
  queryKey: ['uploads'],
  // Keys and other programs upload too.
  staleTime: 0,
  queryFn: ({ pageParam }) => resultOf(api.GET('/v1/uploads', { params: { query: pageOf(pageParam) } })),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
  // The fonts and logos of brands are nothing to play or cut.
  select: ({ pages }) =>
    pages.flatMap(({ uploads }) => uploads).filter(({ content_type }) => !/^(font|image)\//.test(content_type)),
})

export function uploadQuery(uploadId: string) {
  return queryOptions({
    queryKey: ['uploads', uploadId],
    queryFn: async () => {
      const params = { path: { upload_id: uploadId } }
      return (await resultOf(api.GET('/v1/uploads/{upload_id}', { params }))).upload
    },
  })
}

export type Job = components['schemas']['Job']

/** How long an upload is, as the service has measured for one of its jobs. */
export function lengthBy(jobs: readonly (Job | undefined)[], uploadId: string): number | undefined {
  return jobs.find((job) => job?.media?.upload_id === uploadId && job.media_seconds)?.media_seconds
}

/** Every query of jobs, for what starts one. */
export const allJobs = { queryKey: ['jobs'] }

/** Asks again while a job is open, as long as the page is seen and not told of changes. */
export const jobsQuery = infiniteQueryOptions({
  queryKey: ['jobs'],
  staleTime: 0,
  queryFn: ({ pageParam }) => resultOf(api.GET('/v1/jobs', { params: { query: pageOf(pageParam) } })),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
  refetchInterval: ({ state }) => (state.data?.pages.some(({ jobs }) => jobs.some(isOpen)) ? unlessLive(3000) : false),
})

/** A job until its end. Where the page is not told of changes, each request waits for it a little, so that the page shows progress. */
export function jobQuery(jobId: string) {
  return queryOptions({
    queryKey: ['jobs', jobId],
    queryFn: async ({ signal }) => {
      const params = { path: { job_id: jobId }, query: { wait: unlessLive(2) || 0 } }
      return (await resultOf(api.GET('/v1/jobs/{job_id}', { params, signal }))).job
    },
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? unlessLive(200) : false),
  })
}

/** The newest jobs on media of this name, of which the page picks those of an upload. */
export function jobsOnMediaQuery(name: string) {
  return queryOptions({
    queryKey: ['jobs', 'on', name],
    queryFn: async () =>
      (await resultOf(api.GET('/v1/jobs', { params: { query: { media_name: name, limit: 100 } } }))).jobs,
    staleTime: 0,
  })
}
