import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import type { Job } from '../api/queries.ts'
import { reasonInWords } from './format.ts'

/** A problem in words, announced when it appears. */
export function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <div role="alert" className="border-l-4 border-danger pl-3 text-danger">
      {children}
    </div>
  )
}

/** Why a job failed. */
export function JobFailure({ error }: { readonly error: Job['error'] }) {
  return <Problem>{reasonInWords(error)} It cost nothing.</Problem>
}

/** An error, if there is one. */
export function Failure({ error }: { readonly error: unknown }) {
  if (!error) return null
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Problem>
      <p>{error instanceof ApiError ? reasonInWords(error) : 'The page failed. Reload it.'}</p>
      {requestId && (
        <p className="text-sm">
          Request id: <code>{requestId}</code>
        </p>
      )}
    </Problem>
  )
}
