import { useQueryClient } from '@tanstack/react-query'
import { workTitle } from '../components/work-title.ts'
import { PricedJob, type PricedJobProps } from './priced-job.tsx'
import { startFinder } from './studio-queries.ts'

interface Props extends Omit<PricedJobProps, 'label' | 'request' | 'onStart'> {
  readonly endpoint: 'audio/detect-silence' | 'audio/find-words'
}

/** Starts a search of the media. */
export function FinderButton({ endpoint, ...about }: Props) {
  const queryClient = useQueryClient()
  return (
    <PricedJob
      {...about}
      label={workTitle(endpoint)}
      request={{ endpoint }}
      onStart={async () => {
        await startFinder(endpoint, about.mediaUrl)
        await queryClient.invalidateQueries({ queryKey: ['jobs'] })
      }}
    />
  )
}
