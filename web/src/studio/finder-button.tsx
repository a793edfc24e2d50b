import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isOpen, type Job } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Price } from '../components/price.tsx'
import { useAction } from '../components/use-action.ts'
import { estimateQuery, startFinder } from './studio-queries.ts'
import { useDebounced } from './use-debounced.ts'

interface Props {
  readonly endpoint: 'audio/detect-silence' | 'audio/find-words'
  readonly label: string
  /** The newest job of the endpoint, once there is one. */
  readonly job: Job | undefined
  readonly mediaUrl: string
  readonly mediaSeconds: number
  /** Whether the service has the media. */
  readonly isReady: boolean
  readonly look?: 'primary' | 'secondary'
}

const unknownAfterMs = 2000

/** Starts a job on the media, with its price on the button, and shows how far it is. */
export function FinderButton({ endpoint, label, job, mediaUrl, mediaSeconds, isReady, look = 'secondary' }: Props) {
  const queryClient = useQueryClient()
  // Where the browser does not know the length, the service reads the media.
  const isUnknown = useDebounced(isReady && mediaSeconds === 0, unknownAfterMs)
  const length = mediaSeconds > 0 ? { media_seconds: mediaSeconds } : { media_url: mediaUrl }
  const price = useQuery(estimateQuery({ endpoint, ...length }, mediaSeconds > 0 || isUnknown))
  const start = useAction(async () => {
    await startFinder(endpoint, mediaUrl)
    await queryClient.invalidateQueries({ queryKey: ['jobs'] })
  })
  const isRunning = start.isBusy || (job !== undefined && isOpen(job))
  return (
    <div className="flex flex-col items-center gap-2">
      <Failure error={start.error} />
      {job?.status === 'failed' && (
        <p role="alert" className="text-danger">
          {job.error?.message} It cost nothing.
        </p>
      )}
      <Button look={look} isBusy={isRunning || !isReady} onClick={() => start.run()}>
        {label}
        {price.data !== undefined && (
          <span>
            · <Price amount={price.data} />
          </span>
        )}
      </Button>
      <p role="status" className="min-h-5 text-xs text-quiet tabular-nums">
        {isRunning && `${job ? Math.floor(job.progress * 100) : 0} % done`}
        {!isRunning && !isReady && 'Ready when the upload is complete'}
      </p>
    </div>
  )
}
