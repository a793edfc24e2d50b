import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { clock } from '../components/format.ts'
import type { CutPlayer } from './cut-player.ts'
import { clamp, complement, type Span } from './spans.ts'
import type { Painter } from './timeline.tsx'

/** Plays the media or its cut, and moves the playhead of the timeline, the time and the word without a rendering. */
export function usePlayback(cuts: readonly Span[], durationSeconds: number) {
  const player = useRef<CutPlayer>(undefined)
  const painter = useRef<Painter>({ playhead: 0, paint: () => {} })
  const followers = useRef<((time: number) => void) | undefined>(undefined)
  const rate = useRef(1)
  const [isPlaying, setPlaying] = useState(false)
  const [hearsCut, setHearsCut] = useState(true)
  const { text: timeText, write } = useTimeText()
  const whole = { start: 0, end: durationSeconds }

  const onTime = (time: number) => {
    painter.current.playhead = time
    painter.current.paint()
    write(time)
    followers.current?.(time)
  }
  const seek = (time: number) => {
    const to = clamp(time, whole)
    const wasPlaying = player.current?.isPlaying() ?? false
    if (wasPlaying) play(to)
    else player.current?.seek(to)
    onTime(to)
  }
  const play = (from = painter.current.playhead) => {
    const kept = hearsCut ? complement(cuts, whole) : [whole]
    const isAtEnd = from >= (kept.at(-1)?.end ?? 0) - 0.05
    player.current?.play(kept, isAtEnd ? 0 : from)
  }
  const pause = () => {
    rate.current = 1
    player.current?.pause()
  }
  /** Plays; each further time by half faster, up to double speed. */
  const faster = () => {
    rate.current = player.current?.isPlaying() ? Math.min(2, rate.current + 0.5) : 1
    player.current?.setRate(rate.current)
    if (!player.current?.isPlaying()) play()
  }
  // What plays changes with the cuts.
  const again = useRef(play)
  again.current = play
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the cuts change what plays
  useEffect(() => {
    if (player.current?.isPlaying()) again.current()
  }, [cuts, hearsCut])
  const onFollow = useCallback((mark: (time: number) => void) => {
    followers.current = mark
  }, [])
  return {
    player,
    painter,
    isPlaying,
    setPlaying,
    hearsCut,
    setHearsCut,
    timeText,
    onTime,
    seek,
    play,
    pause,
    faster,
    onFollow,
  }
}

/** Writes the time of the playhead at most once a frame. */
function useTimeText(): {
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
