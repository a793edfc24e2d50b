import { type KeyboardEvent, useRef } from 'react'
import { clock } from '../components/format.ts'
import type { Edge } from './edits.ts'
import type { Span } from './spans.ts'

interface Props {
  readonly edge: Edge
  readonly time: number
  readonly reach: Span
  readonly x: number
  readonly top: number
  readonly isVisible: boolean
  readonly frameSeconds: number
  /** The time so many pixels from here. */
  readonly timeAt: (pixels: number) => number
  /** Moves of one pull have one number. The keyboard has none. */
  readonly onMove: (to: number, pull: number | undefined) => void
}

const stepSeconds = 0.01

/** Grips an edge of the selected cut, with a pointer or with the arrow keys. */
export function EdgeHandle({ edge, time, reach, x, top, isVisible, frameSeconds, timeAt, onMove }: Props) {
  const grip = useRef<{ x: number; pull: number; timeAt: (pixels: number) => number } | undefined>(undefined)
  const press = (event: KeyboardEvent) => {
    const step = event.shiftKey ? frameSeconds : stepSeconds
    const to = {
      ArrowLeft: time - step,
      ArrowDown: time - step,
      ArrowRight: time + step,
      ArrowUp: time + step,
      Home: reach.start,
      End: reach.end,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onMove(to, undefined)
  }
  const release = () => {
    grip.current = undefined
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={edge === 'start' ? 'Start of the cut' : 'End of the cut'}
      aria-valuemin={reach.start}
      aria-valuemax={reach.end}
      aria-valuenow={time}
      aria-valuetext={clock(time, 2)}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        grip.current = { x: event.clientX, pull: event.timeStamp, timeAt }
      }}
      onPointerMove={(event) => {
        if (grip.current) onMove(grip.current.timeAt(event.clientX - grip.current.x), grip.current.pull)
      }}
      onPointerUp={release}
      onPointerCancel={release}
      style={{ left: x - 6, top }}
      className={`absolute bottom-0 w-3 cursor-ew-resize touch-none before:absolute before:inset-y-0 before:left-[5px] before:w-0.5 before:bg-accent after:absolute after:top-1/3 after:left-[3px] after:h-8 after:w-1.5 after:rounded-full after:bg-accent ${isVisible ? '' : 'pointer-events-none opacity-0'}`}
    />
  )
}
