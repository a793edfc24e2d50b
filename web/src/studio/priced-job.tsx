import { useQuery } from '@tanstack/react-query'
import { isOpen } from '../api/is-open.ts'
import { allJobs, type Job } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Failure, JobFailure } from '../components/failure.tsx'
import { ButtonPrice } from '../components/price.tsx'
import { useAction } from '../components/use-action.ts'
import { type EstimateRequest, estimateQuery } from './studio-queries.ts'

export interface PricedJobProps {
  readonly label: string
  /** What the job does, without its media. */
  readonly request: Omit<EstimateRequest, 'media_seconds' | 'media_url'>
  /** The newest such job, once there is one. */
  readonly job: Job | undefined
  readonly mediaUrl: string
  /** 0 while it is unknown. */
  readonly mediaSeconds: number
  /** Why the service cannot work on the media, in a few words. Undefined once it can. */
  readonly hindrance: string | undefined
  readonly look?: 'primary' | 'secondary'
  /** Why the service did not find the length. */
  readonly lengthError: Error | null
  readonly onStart: (maxUsd: number | undefined) => Promise<unknown>
}

/** A button that starts a job on the media, with its price, and shows how far it is. */
export function PricedJob(props: PricedJobProps) {
  const { label, request, job, mediaSeconds, hindrance, look = 'secondary', lengthError, onStart } = props
  const price = useQuery(estimateQuery({ ...request, media_seconds: mediaSeconds }, mediaSeconds > 0))
  const start = useAction(() => onStart(price.data), allJobs)
  // Of several buttons, one says why the service cannot read the media.
  const error = start.error ?? (look === 'primary' && mediaSeconds === 0 ? lengthError : null)
  const isRunning = start.isBusy || (job !== undefined && isOpen(job))
  return (
    <div className="flex flex-col items-center gap-2">
      {!hindrance && (
        <div className="max-w-[70ch] text-left">
          <Failure error={error} />
          {!error && job?.status === 'failed' && <JobFailure error={job.error} />}
        </div>
      )}
      <Button look={look} isBusy={isRunning || price.isFetching || hindrance !== undefined} onClick={() => start.run()}>
        {label}
        <ButtonPrice amount={price.data} />
      </Button>
      <p role="status" className="min-h-5 text-xs text-quiet tabular-nums">
        {isRunning && `${job && isOpen(job) ? Math.floor(job.progress * 100) : 0} % done`}
        {!isRunning && hindrance}
      </p>
    </div>
  )
}
