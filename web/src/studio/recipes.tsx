import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useState } from 'react'
import { api, resultOf } from '../api/client.ts'
import { isOpen, jobQuery } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { ButtonPrice } from '../components/price.tsx'
import { useAction } from '../components/use-action.ts'
import { madeFor, workTitle } from '../components/work-title.ts'
import type { Span } from './spans.ts'
import { clipResult, estimateQuery, planQuery, runQuery } from './studio-queries.ts'

interface Props {
  readonly mediaUrl: string
  readonly mediaSeconds: number
  readonly isSound: boolean
  /** What a short is made of. */
  readonly marked: Span | undefined
}

/** Other work on the media, a button each. */
export const Recipes = memo(({ mediaUrl, mediaSeconds, isSound, marked }: Props) => {
  return (
    <section aria-label="Recipes" className="flex flex-col gap-3 border-t border-line pt-4">
      <h2 className="font-semibold">More from this recording</h2>
      <CleanSpeech mediaUrl={mediaUrl} mediaSeconds={mediaSeconds} />
      <JobRecipe
        name={workTitle('audio/semantic-chunks')}
        about="Titles and times of the topics, for YouTube. English only."
        request={{
          endpoint: 'audio/semantic-chunks',
          media_url: mediaUrl,
          settings: { min_chapters: 3 },
        }}
        priced={{ endpoint: 'audio/semantic-chunks', media_seconds: mediaSeconds }}
        isPossible
      >
        {(jobId) => (
          <a href={`/v1/jobs/${jobId}/export?as=chapters`} download className="underline">
            Download the chapters
          </a>
        )}
      </JobRecipe>
      {!isSound && (
        <JobRecipe
          name="Short"
          about={marked ? 'The marked range, upright for phones.' : 'Mark a range in the timeline first.'}
          request={{
            endpoint: 'video/clip-window',
            media_url: mediaUrl,
            ...marked,
            settings: { aspect: '9:16' },
            metadata: { [madeFor]: 'short' },
          }}
          priced={{ endpoint: 'video/clip-window', media_seconds: mediaSeconds, ...marked }}
          isPossible={marked !== undefined}
        >
          {(jobId) => <ClipLink jobId={jobId} />}
        </JobRecipe>
      )}
    </section>
  )
})

type JobRequest = NonNullable<Parameters<typeof createJob>[0]>

function createJob(body: {
  endpoint: 'audio/semantic-chunks' | 'video/clip-window'
  media_url: string
  start?: number
  end?: number
  settings?: Record<string, unknown>
  metadata?: Record<string, string>
}) {
  return resultOf(api.POST('/v1/jobs', { body }))
}

interface JobRecipeProps {
  readonly name: string
  readonly about: string
  readonly request: JobRequest
  readonly priced: Parameters<typeof estimateQuery>[0]
  readonly isPossible: boolean
  readonly children: (jobId: string) => ReactNode
}

function JobRecipe({ name, about, request, priced, isPossible, children }: JobRecipeProps) {
  const price = useQuery(estimateQuery(priced, isPossible))
  const [jobId, setJobId] = useState<string>()
  const start = useAction(async () => setJobId((await createJob(request)).job_id))
  const { data: job } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== undefined })
  const isRunning = start.isBusy || (jobId !== undefined && (!job || isOpen(job)))
  return (
    <Recipe name={name} about={about} price={price.data} isBusy={isRunning || !isPossible} onStart={start.run}>
      <Failure error={start.error} />
      {isRunning && `${Math.floor((job?.progress ?? 0) * 100)} % done`}
      {job?.status === 'failed' && `${job.error?.message} It cost nothing.`}
      {job?.status === 'completed' && children(job.id)}
      {job?.status === 'completed' && job.warnings.map((warning) => <p key={warning}>{warning}</p>)}
    </Recipe>
  )
}

function CleanSpeech({ mediaUrl, mediaSeconds }: Pick<Props, 'mediaUrl' | 'mediaSeconds'>) {
  const price = useQuery(planQuery('clean-speech', mediaSeconds))
  const [runId, setRunId] = useState<string>()
  const start = useAction(async () => {
    const body = { mode: 'run_all' as const, media_url: mediaUrl, settings: {} }
    const params = { path: { workflow_id: 'clean-speech' } }
    const answer = await resultOf(api.POST('/v1/workflows/{workflow_id}/runs', { params, body }))
    if ('run' in answer) setRunId(answer.run_id)
  })
  const { data: run } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== undefined })
  const isRunning = start.isBusy || (runId !== undefined && (!run || isOpen(run)))
  const found = clipResult.safeParse(run?.result)
  return (
    <Recipe
      name={workTitle('clean-speech')}
      about="Without “um”, stutters and false starts. English only."
      price={price.data}
      isBusy={isRunning}
      onStart={start.run}
    >
      <Failure error={start.error} />
      {isRunning && 'Listening and cutting …'}
      {run?.status === 'failed' && run.error?.message}
      {run?.status === 'completed' && found.success && (
        <a href={found.data.output.download_url} download className="underline">
          Download {found.data.output.name}
        </a>
      )}
    </Recipe>
  )
}

function ClipLink({ jobId }: { readonly jobId: string }) {
  const { data: job } = useQuery(jobQuery(jobId))
  const found = clipResult.safeParse(job?.result)
  if (!found.success) return null
  return (
    <a href={found.data.output.download_url} download className="underline">
      Download {found.data.output.name}
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
