import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allJobs, type Job, jobQuery, type Upload } from '../api/queries.ts'
import { useAction } from '../components/use-action.ts'
import type { Span } from './spans.ts'
import { cutOf, isCutOf, startCut } from './studio-queries.ts'

/** Cuts media into a file of these ranges, and knows the last one: what was cut already costs nothing again. */
export function useCut({ id, media_url }: Pick<Upload, 'id' | 'media_url'>, ranges: Span[], jobs: readonly Job[]) {
  const lastId = useMemo(() => cutOf(jobs, id, ranges)?.id, [jobs, id, ranges])
  const last = useQuery({ ...jobQuery(lastId ?? ''), enabled: lastId !== undefined })
  const { run, error, isBusy } = useAction((maxUsd: number | undefined) => startCut(media_url, ranges, maxUsd), allJobs)
  const isCut = last.data !== undefined && isCutOf(last.data, ranges)
  return { run, error, isBusy: isBusy || last.isLoading, lastId, isCut }
}
