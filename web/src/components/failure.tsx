import { ApiError } from '../api/client.ts'
import { reasonInWords } from './format.ts'

/** An error, announced when it appears. */
export function Failure({ error }: { readonly error: unknown }) {
  if (!error) return null
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <div role="alert" className="border-l-4 border-danger pl-3 text-danger">
      <p>{error instanceof ApiError ? reasonInWords(error) : 'The page failed. Reload it.'}</p>
      {requestId && (
        <p className="text-sm">
          Request id: <code>{requestId}</code>
        </p>
      )}
    </div>
  )
}
