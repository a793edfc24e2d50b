import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'

interface Props<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** What a query found, or that it is on its way, or why it failed. */
export function Loaded<Data>({ query, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.error ? <Unloaded query={query} /> : <p role="status">Loading…</p>
}

/** Why a query failed, and the way to try it again. */
export function Unloaded({ query }: { readonly query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> }) {
  return (
    <div className="flex flex-col items-start gap-2">
      <Failure error={query.error} />
      <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  )
}
