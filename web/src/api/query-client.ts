import {
  hashKey,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { ApiError, isSignedOut } from './client.ts'
import { sessionQuery } from './queries.ts'

/** `onSignedOut` is called when a page reads or changes something and its session has ended meanwhile. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new PageClient({
    queryCache: new QueryCache({
      // The guard of the pages asks for a first session itself.
      onError: (error, { queryHash, state }) => {
        const isFirstSession = queryHash === hashKey(sessionQuery.queryKey) && state.data === undefined
        if (isSignedOut(error) && !isFirstSession) onSignedOut()
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (isSignedOut(error)) onSignedOut()
      },
    }),
    // Requests fail immediately without a connection, so that pages can say so. By default the library holds them back.
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 30_000,
        // The service refuses these again.
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  })
}

class PageClient extends QueryClient {
  /** A first read goes on instead of beginning again, and can have the answer of before: another follows it. */
  override async invalidateQueries<Key extends QueryKey>(filters: InvalidateQueryFilters<Key> = {}): Promise<void> {
    const isFirst = super
      .getQueryCache()
      .findAll(filters)
      .some(({ state }) => state.data === undefined && state.fetchStatus === 'fetching')
    await super.invalidateQueries(filters)
    if (isFirst) await super.invalidateQueries(filters)
  }
}
