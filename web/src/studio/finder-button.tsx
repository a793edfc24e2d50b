import { workTitle } from '../components/work-title.ts'
import { PricedJob, type PricedJobProps } from './priced-job.tsx'
import { startFinder } from './studio-queries.ts'

interface Props extends Omit<PricedJobProps, 'label' | 'request' | 'onStart'> {
  readonly endpoint: 'audio/detect-silence' | 'audio/find-words'
}

/** Starts a search of the media. */
export function FinderButton({ endpoint, ...about }: Props) {
  return (
    <PricedJob
      {...about}
      label={workTitle(endpoint)}
      request={{ endpoint }}
      onStart={(maxUsd) => startFinder(endpoint, about.mediaUrl, maxUsd)}
    />
  )
}
