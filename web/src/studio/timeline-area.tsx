import { useQuery } from '@tanstack/react-query'
import { type RefObject, useMemo, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { rulerHeight, trackHeight } from './draw-timeline.ts'
import type { Edge } from './edits.ts'
import type { Span } from './spans.ts'
import { readTile, type Word, waveformQuery } from './studio-queries.ts'
import { createTiles } from './tiles.ts'
import { type Painter, Timeline } from './timeline.tsx'
import type { FoundPauses } from './use-found.ts'
import { snap, type View } from './view.ts'

interface Props {
  readonly pauses: FoundPauses
  readonly words: readonly Word[] | undefined
  readonly view: View
  readonly selected: Span | undefined
  readonly marked: Span | undefined
  readonly reach: Readonly<Record<Edge, Span>> | undefined
  readonly frameSeconds: number
  readonly painter: RefObject<Painter>
  readonly onView: (view: View) => void
  readonly onSeek: (time: number) => void
  readonly onMark: (span: Span | undefined) => void
  readonly onSelectAt: (time: number) => void
  readonly onMoveEdge: (edge: Edge, to: number, pull: number | undefined) => void
  readonly onZoom: (zoom: 'zoomIn' | 'zoomOut' | 'fit') => void
}

const snapPixels = 6

/** The timeline with the names of its tracks and its buttons. Reads the waveform. */
export function TimelineArea({ pauses, words, view, selected, marked, reach, frameSeconds, painter, ...on }: Props) {
  const { jobId, durationSeconds, settings, isOld, cuts } = pauses
  const waveform = useQuery(waveformQuery(jobId))
  const [width, setWidth] = useState(1)
  const { levels, version = '', coarsest } = waveform.data ?? {}
  const tiles = useMemo(
    () =>
      levels &&
      createTiles({
        levels,
        coarsest,
        read: (level, index) => readTile({ jobId, version }, level, index),
        onArrive: () => painter.current.paint(),
      }),
    [levels, version, coarsest, jobId, painter],
  )
  const drawing = useMemo(() => {
    const tracks = [
      { name: 'Pauses', color: 'silence' as const, spans: pauses.pauses },
      ...(words ? [{ name: 'Words', color: 'words' as const, spans: words }] : []),
    ]
    const draft = isOld ? settings : undefined
    return { view, durationSeconds, tiles, tracks, cuts, selected, marked, thresholdDb: settings.thresholdDb, draft }
  }, [view, durationSeconds, tiles, pauses.pauses, words, cuts, selected, marked, settings, isOld])
  const targets = useMemo(() => [...pauses.pauses, ...(words ?? [])], [pauses.pauses, words])
  const snapped = (time: number) => snap(time, targets, (snapPixels / width) * (view.end - view.start))
  const latest = useRef(on.onView)
  latest.current = on.onView
  const [onView] = useState(() => (next: View) => latest.current(next))
  return (
    <div className="flex h-full min-h-64 flex-col">
      <Failure error={waveform.error} />
      <div className="flex min-h-0 flex-1">
        <ul aria-label="Tracks" className="flex w-10 flex-col border-r border-line text-xs sm:w-24">
          <li style={{ height: rulerHeight }} aria-hidden="true" />
          <TrackName icon="sound" name="Sound" isTall />
          {drawing.tracks.map(({ name, color }) => (
            <TrackName key={name} icon={color} name={name} />
          ))}
        </ul>
        <Timeline
          drawing={drawing}
          width={width}
          onWidth={setWidth}
          painter={painter}
          onView={onView}
          onSeek={on.onSeek}
          onMark={(span) => on.onMark(span && { start: snapped(span.start), end: snapped(span.end) })}
          onSelect={on.onSelectAt}
          reach={reach}
          frameSeconds={frameSeconds}
          onMoveEdge={(edge, to, pull) => on.onMoveEdge(edge, pull === undefined ? to : snapped(to), pull)}
        />
      </div>
      <div className="flex items-center gap-2 border-t border-line px-2 py-1.5">
        <Button aria-label="Zoom in" aria-keyshortcuts="+" className="w-9 px-0" onClick={() => on.onZoom('zoomIn')}>
          +
        </Button>
        <Button aria-label="Zoom out" aria-keyshortcuts="-" className="w-9 px-0" onClick={() => on.onZoom('zoomOut')}>
          −
        </Button>
        <Button aria-keyshortcuts="F" onClick={() => on.onZoom('fit')}>
          Show all
        </Button>
        <Scroller view={view} durationSeconds={durationSeconds} onView={onView} />
      </div>
    </div>
  )
}

function TrackName({
  icon,
  name,
  isTall = false,
}: {
  readonly icon: IconName
  readonly name: string
  readonly isTall?: boolean
}) {
  return (
    <li
      className={`flex items-center gap-2 px-2.5 text-quiet ${isTall ? 'flex-1' : 'border-t border-line'}`}
      style={isTall ? undefined : { height: trackHeight }}
    >
      <Icon name={icon} className="size-4" />
      <span className="truncate max-sm:sr-only">{name}</span>
    </li>
  )
}

/** Moves through the media where it is zoomed in, also by touch and by the arrow keys. */
function Scroller({
  view,
  durationSeconds,
  onView,
}: Pick<Props, 'view' | 'onView'> & { readonly durationSeconds: number }) {
  const length = view.end - view.start
  if (length >= durationSeconds - 0.001) return null
  return (
    <input
      type="range"
      aria-label="Part of the media in view"
      min={0}
      max={durationSeconds - length}
      step="any"
      value={view.start}
      onChange={(event) => {
        const start = Number(event.target.value)
        onView({ start, end: start + length })
      }}
      className="min-w-0 flex-1 accent-accent"
    />
  )
}
