import { useQuery } from '@tanstack/react-query'
import { Button } from '../components/button.tsx'
import { ButtonPrice } from '../components/price.tsx'
import { estimateQuery } from './studio-queries.ts'
import { useDebounced } from './use-debounced.ts'

interface Props {
  readonly isSound: boolean
  readonly keptSeconds: number
  readonly mediaSeconds: number
  readonly isBusy: boolean
  /** Leads to the file, if it was cut already. */
  readonly onOpen: (() => void) | undefined
  readonly onCut: (maxUsd: number | undefined) => void
}

/** The one thing that costs: its price follows the edits, and is grey while it is an old one. */
export function CutButton({ isSound, keptSeconds, mediaSeconds, isBusy, onOpen, onCut }: Props) {
  const asked = useDebounced(keptSeconds, 300)
  // The sum of ranges in whole milliseconds is not quite whole.
  const body = {
    endpoint: 'video/clip-window' as const,
    start: 0,
    end: Math.round(asked * 1000) / 1000,
    media_seconds: mediaSeconds,
  }
  const price = useQuery(estimateQuery(body, asked > 0))
  const isOld = asked !== keptSeconds || price.isPlaceholderData
  const words = isSound ? 'Cut the recording' : 'Cut the film'
  return (
    <Button
      look={onOpen ? 'secondary' : 'primary'}
      className="whitespace-nowrap max-sm:basis-full"
      isBusy={isBusy || (!onOpen && (isOld || keptSeconds <= 0))}
      onClick={onOpen ?? (() => onCut(price.data))}
    >
      {onOpen ? 'Open the last cut' : words}
      {!onOpen && <ButtonPrice amount={price.data} isOld={isOld} />}
    </Button>
  )
}
