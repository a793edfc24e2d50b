import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useState } from 'react'
import { api, resultOf } from '../api/client.ts'
import { isOpen } from '../api/is-open.ts'
import { allJobs, type Job, jobQuery, jobsOnMediaQuery, type Upload } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { reasonInWords } from '../components/format.ts'
import { ButtonPrice } from '../components/price.tsx'
import { useAction } from '../components/use-action.ts'
import { madeFor, workTitle } from '../components/work-title.ts'
import type { Span } from './spans.ts'
import {
  atMost,
  clipResult,
  type EstimateRequest,
  estimateQuery,
  type Marks,
  newestFor,
  planQuery,
  runQuery,
} from './studio-queries.ts'

interface Props {
  readonly upload: Upload
  readonly mediaSeconds: number
  readonly isSound: boolean
  /** What a short is made of. */
  readonly marked: Span | undefined
}

/** Other work on the media, a button each. */
export const Recipes = memo(({ upload, mediaSeconds, isSound, marked }: Props) => {
  const media = { upload, mediaSeconds }
  return (
    <section aria-label="Recipes" className="flex flex-col gap-3 border-t border-line pt-4">
      <h2 className="font-semibold">More from this recording</h2>
      <CleanSpeech {...media} />
      <JobRecipe
        {...media}
        name={workTitle('audio/semantic-chunks')}
        about="Titles and times of the topics, for YouTube. English only."
        marks={{ [madeFor]: 'chapters' }}
        request={{ endpoint: 'audio/semantic-chunks', settings: { min_chapters: 3 } }}
        isPossible
      >
        {({ id }) => (
          <a href={`/v1/jobs/${id}/export?as=chapters`} download className="underline">
            Download the chapters
          </a>
        )}
      </JobRecipe>
      {!isSound && (
        <JobRecipe
          {...media}
          name="Short"
          about={marked ? 'The marked range, upright for phones.' : 'Mark a range in the timeline first.'}
          marks={{
            [madeFor]: 'short',
            ...(marked && { range: `${marked.start.toFixed(3)}-${marked.end.toFixed(3)}` }),
          }}
          request={{ endpoint: 'video/clip-window', ...marked, settings: { aspect: '9:16' } }}
          isPossible={marked !== undefined}
        >
          {({ result }) => <MadeFile result={result} />}
        </JobRecipe>
      )}
    </section>
  )
})

interface JobRecipeProps extends Pick<Props, 'upload' | 'mediaSeconds'> {
  readonly name: string
  readonly about: string
  /** The metadata by which its job is found again. */
  readonly marks: Marks
  readonly request: Omit<EstimateRequest, 'media_seconds' | 'media_url'>
  readonly isPossible: boolean
  readonly children: (job: Job) => ReactNode
}

function JobRecipe({ upload, mediaSeconds, name, about, marks, request, isPossible, children }: JobRecipeProps) {
  const price = useQuery(estimateQuery({ ...request, media_seconds: mediaSeconds }, isPossible))
  const found = useNewest(upload, marks)
  const { data: job = found } = useQuery({ ...jobQuery(found?.id ?? ''), enabled: found !== undefined })
  const start = useAction(() => {
    const body = { ...request, media_url: upload.media_url, metadata: marks, ...atMost(price.data) }
    return resultOf(api.POST('/v1/jobs', { body }))
  }, allJobs)
  const isRunning = start.isBusy || (job !== undefined && isOpen(job))
  const isBusy = isRunning || price.isFetching || !isPossible
  return (
    <Recipe name={name} about={about} price={price.data} isBusy={isBusy} onStart={start.run}>
      <Failure error={start.error} />
      {isRunning && `${Math.floor((job?.progress ?? 0) * 100)} % done`}
      {job?.status === 'failed' && `${reasonInWords(job.error)} It cost nothing.`}
      {job?.status === 'completed' && children(job)}
      {job?.status === 'completed' && job.warnings.map((warning) => <p key={warning}>{warning}</p>)}
    </Recipe>
  )
}

const cleanSpeech = 'clean-speech'
/** The service says it for programs, in names of settings. */
const uncut: Readonly<Record<string, string>> = {
  nothing_found:
    'Nothing was cut: no “um”, stutter or false start was heard that has silence on both sides. To cut other words, select them in the transcript.',
  cut_too_large: 'Nothing was cut: most of the recording would be gone. The cut is not charged.',
}

function CleanSpeech({ upload, mediaSeconds }: Pick<Props, 'upload' | 'mediaSeconds'>) {
  const price = useQuery(planQuery(cleanSpeech, mediaSeconds))
  const marks = { [madeFor]: cleanSpeech }
  const job = useNewest(upload, marks)
  // The list of jobs does not have the first one of a new run at once.
  const [startedId, setStartedId] = useState<string>()
  const start = useAction(async () => {
    const asked = { mode: 'run_all' as const, media_url: upload.media_url, settings: {} }
    const body = { ...asked, metadata: marks, ...atMost(price.data) }
    const params = { path: { workflow_id: cleanSpeech } }
    const started = await resultOf(api.POST('/v1/workflows/{workflow_id}/runs', { params, body }))
    if ('run_id' in started) setStartedId(started.run_id)
  }, allJobs)
  const runId = startedId ?? job?.run_id
  const { data: run } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== undefined })
  const isRunning = start.isBusy || (runId !== undefined && (!run || isOpen(run)))
  return (
    <Recipe
      name={workTitle(cleanSpeech)}
      about="Without “um”, stutters and false starts. English only."
      price={price.data}
      isBusy={isRunning || price.isFetching}
      onStart={start.run}
    >
      <Failure error={start.error} />
      {isRunning && 'Listening and cutting …'}
      {run?.status === 'failed' && (uncut[run.error?.code ?? ''] ?? reasonInWords(run.error))}
      {run?.status === 'completed' && <MadeFile result={run.result} />}
    </Recipe>
  )
}

/** What a recipe has made of the upload, or makes, also if another page began it. */
function useNewest(upload: Upload, marks: Marks): Job | undefined {
  const { data: jobs = [] } = useQuery(jobsOnMediaQuery(upload.name))
  return newestFor(jobs, upload.id, marks)
}

function MadeFile({ result }: { readonly result: unknown }) {
  const { output } = clipResult.safeParse(result).data ?? {}
  if (!output) return null
  return (
    <a href={output.download_url} download className="underline">
      Download {output.name}
    </a>
  )
}

interface RecipeProps {
  readonly name: string
  readonly about: string
  /** At most, in USD. */
  readonly price: number | undefined
  readonly isBusy: boolean
  readonly onStart: () => void
  readonly children: ReactNode
}

function Recipe({ name, about, price, isBusy, onStart, children }: RecipeProps) {
  return (
    <div className="flex flex-col gap-1">
      <Button isBusy={isBusy} onClick={() => onStart()} className="self-start">
        {name}
        <ButtonPrice amount={price} />
      </Button>
      <p className="text-xs text-quiet">{about}</p>
      <div role="status" className="text-xs wrap-anywhere">
        {children}
      </div>
    </div>
  )
}
