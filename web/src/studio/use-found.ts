import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { type Job, jobQuery } from '../api/queries.ts'
import { cutsOf, type Draft, type Found, type PauseSettings } from './editor.ts'
import type { Span } from './spans.ts'
import { previewQuery, silenceResult, type Word, waveformQuery, wordsQuery, wordsResult } from './studio-queries.ts'
import { useDebounced } from './use-debounced.ts'

const searchedFrom = z.object({ min_silence_seconds: z.optional(z.number()) })
/** Of each pause, unless a person says otherwise: what the chain remove-dead-space leaves. */
const keptSeconds = 0.4
/** How long a slider rests until the service is asked. */
const restMs = 150

export interface FoundPauses extends Found {
  readonly jobId: string
  readonly cuts: readonly Span[]
  /** Whether the pauses are those of earlier settings. */
  readonly isOld: boolean
  /** Why they are not those of the present settings. */
  readonly problem: Error | null
  readonly searchAgain: () => Promise<unknown>
}

/** The pauses by the settings of the draft, once a job has found any. */
export function usePauses(job: Job | undefined, draft: Draft): FoundPauses | undefined {
  const { data } = useQuery({ ...jobQuery(job?.id ?? ''), enabled: job !== undefined })
  // The timeline needs it with the pauses: beside the job, it is here as early.
  useQuery({ ...waveformQuery(job?.id ?? ''), enabled: job?.status === 'completed' })
  const given = useMemo(() => {
    const result = silenceResult.safeParse(data?.result)
    if (!data || !result.success) return undefined
    const { silences, threshold_db: thresholdDb } = result.data
    const minSeconds = searchedFrom.safeParse(data.settings).data?.min_silence_seconds ?? 0.5
    return { silences, settings: { thresholdDb, minSeconds, keptSeconds }, durationSeconds: data.media_seconds ?? 0 }
  }, [data])
  const settings = useMemo(() => given && { ...given.settings, ...draft.settings }, [given, draft.settings])
  const rested = useDebounced(settings, restMs)
  const isOther = (asked: PauseSettings | undefined) =>
    given !== undefined &&
    asked !== undefined &&
    (asked.thresholdDb !== given.settings.thresholdDb || asked.minSeconds !== given.settings.minSeconds)
  const preview = useQuery(previewQuery(job?.id ?? '', rested ?? unasked, isOther(rested)))
  const pauses = isOther(settings) ? (preview.data ?? given?.silences) : given?.silences
  const isOld = isOther(settings) && (rested !== settings || preview.isPlaceholderData || !preview.data)
  const problem = isOld && rested === settings ? preview.error : null
  const searchAgain = preview.refetch
  return useMemo(() => {
    if (!given || !job || !pauses || !settings) return undefined
    const found = { pauses, settings, durationSeconds: given.durationSeconds }
    return { ...found, jobId: job.id, cuts: cutsOf(draft, found), isOld, problem, searchAgain }
  }, [given, job, pauses, settings, draft, isOld, problem, searchAgain])
}

const unasked: PauseSettings = { thresholdDb: 0, minSeconds: 0, keptSeconds }

export interface FoundWords {
  readonly words: readonly Word[] | undefined
  /** Why they are not here, and the file that has them. */
  readonly wordsProblem: { readonly error: Error; readonly fileUrl: string | undefined } | undefined
}

/** The words, once a job has heard them. */
export function useWords(job: Job | undefined): FoundWords {
  const { data, error } = useQuery({ ...jobQuery(job?.id ?? ''), enabled: job !== undefined })
  const result = useMemo(() => wordsResult.safeParse(data?.result).data, [data])
  const listed = result?.transcript.words
  // The list is empty too where there are more words than it takes: their file has all.
  const file = listed?.length === 0 ? result?.outputs?.find(({ name }) => name.endsWith('words.json')) : undefined
  const read = useQuery(wordsQuery(job?.id ?? '', file?.url))
  const problem = read.error ?? error
  return {
    words: file ? read.data : listed,
    wordsProblem: problem ? { error: problem, fileUrl: file?.download_url } : undefined,
  }
}
