import { hashKey, MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, api, isSignedOut, resultOf } from './client.ts'
import type { components } from './schema.d.ts'

// What the pages read. A change of it invalidates the query by its key.

export type Key = components['schemas']['Key']

/** `onSignedOut` is called when a page reads or changes something and its session has ended meanwhile. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      // The guard of the pages asks for the session itself.
      onError: (error, { queryHash }) => {
        if (isSignedOut(error) && queryHash !== hashKey(sessionQuery.queryKey)) onSignedOut()
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (isSignedOut(error)) onSignedOut()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // The service refuses these again.
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  })
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 5 * 60_000,
  queryFn: () => resultOf(api.GET('/api/auth/get-session')),
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await resultOf(api.GET('/v1/keys'))).keys,
})

export type Connector = components['schemas']['Connector']

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

/** The usage of each day, from the first to the last one, both as YYYY-MM-DD in UTC. */
export function usageQuery(from: string, to: string) {
  return queryOptions({
    queryKey: ['usage', from, to],
    queryFn: () => resultOf(api.GET('/v1/usage', { params: { query: { from, to, group_by: 'day' } } })),
  })
}

export const invoicesQuery = queryOptions({
  queryKey: ['invoices'],
  queryFn: async () => (await resultOf(api.GET('/v1/account/invoices'))).invoices,
})
