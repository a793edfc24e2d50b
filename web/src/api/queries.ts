import { QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, api, resultOf } from './client.ts'
import type { components } from './schema.d.ts'

// What the pages read. A change of it invalidates the query by its key.

export type Key = components['schemas']['Key']

export function createQueryClient(): QueryClient {
  return new QueryClient({
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
