import { type RefObject, useEffect, useRef } from 'react'
import { Button } from '../components/button.tsx'
import { clock } from '../components/format.ts'
import { Icon } from '../components/icon.tsx'

interface Props {
  readonly isPlaying: boolean
  readonly canPlay: boolean
  /** Whether the cut differs from the media. */
  readonly hasCuts: boolean
  readonly hearsCut: boolean
  readonly durationSeconds: number
  /** Where the time of the playhead is written, without a rendering. */
  readonly timeText: RefObject<HTMLElement | null>
  readonly onPlay: () => void
  readonly onHearCut: (hearsCut: boolean) => void
}

export function Transport(props: Props) {
  const { isPlaying, canPlay, hasCuts, hearsCut, durationSeconds, timeText, onPlay, onHearCut } = props
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button onClick={onPlay} disabled={!canPlay} aria-keyshortcuts="Space" className="w-28 disabled:opacity-60">
        <Icon name={isPlaying ? 'pause' : 'play'} className="size-4" />
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <p className="font-mono tabular-nums">
        <span ref={timeText}>{clock(0, 2)}</span> <span className="text-quiet">/ {clock(durationSeconds, 2)}</span>
      </p>
      {hasCuts && (
        <label className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={hearsCut}
            onChange={(event) => onHearCut(event.target.checked)}
            className="size-4 accent-accent"
          />
          Play the cut
        </label>
      )}
    </div>
  )
}

/** Writes the time of the playhead at most once a frame. */
export function useTimeText(): {
  readonly text: RefObject<HTMLElement | null>
  readonly write: (seconds: number) => void
} {
  const text = useRef<HTMLElement>(null)
  const frame = useRef(0)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  const write = (seconds: number) => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      if (text.current) text.current.textContent = clock(seconds, 2)
    })
  }
  return { text, write }
}
