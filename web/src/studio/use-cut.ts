import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allJobs, type Job, jobQuery } from '../api/queries.ts'
import { useAction } from '../components/use-action.ts'
import type { Span } from './spans.ts'
import { isCutOf, startCut } from './studio-queries.ts'

/** Cuts media into a file of these ranges, and knows the last one: what was cut already costs nothing again. */
export function useCut(mediaUrl: string, ranges: Span[], newest: Job | undefined) {
  const [startedId, setStartedId] = useState<string>()
  const lastId = startedId ?? newest?.id
  const last = useQuery({ ...jobQuery(lastId ?? ''), enabled: lastId !== undefined })
  const { run, error, isBusy } = useAction(async (maxUsd: number | undefined) => {
    const job = await startCut(mediaUrl, ranges, maxUsd)
    setStartedId(job.id)
  }, allJobs)
  const isCut = last.data !== undefined && isCutOf(last.data, ranges)
  return { run, error, isBusy: isBusy || last.isLoading, lastId, isCut }
}
