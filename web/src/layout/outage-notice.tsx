import { useSyncExternalStore } from 'react'
import { serviceOutage } from '../api/live.ts'

/** Says that the page shows what it last knew. */
export function OutageNotice() {
  const isOut = useSyncExternalStore(serviceOutage.subscribe, serviceOutage.read)
  return (
    <div role="status">
      {isOut && (
        <p className="mb-4 border-l-4 border-danger pl-3">
          The service does not answer. This page shows what it last knew, and goes on by itself when the service is
          back.
        </p>
      )}
    </div>
  )
}
