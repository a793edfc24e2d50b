import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

interface Props<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** What a query found, or that it is on its way, or why it failed. */
export function Loaded<Data>({ query: { data, error }, children }: Props<Data>) {
  if (data !== undefined) return children(data)
  return error ? <Failure error={error} /> : <p role="status">Loading…</p>
}
