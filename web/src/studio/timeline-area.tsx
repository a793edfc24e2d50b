import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { rulerHeight, trackHeight } from './draw-timeline.ts'
import { type Edge, reachOfEdge } from './edits.ts'
import { spanAt } from './spans.ts'
import { readTile, waveformQuery } from './studio-queries.ts'
import { createTiles } from './tiles.ts'
import { Timeline } from './timeline.tsx'
import type { FoundPauses } from './use-found.ts'
import type { Workbench } from './use-workbench.ts'
import { snap, type View } from './view.ts'

interface Props {
  readonly bench: Workbench
  readonly pauses: FoundPauses
}

const snapPixels = 6

/** The timeline with the names of its tracks and its buttons. Reads the waveform. */
export function TimelineArea({ bench, pauses }: Props) {
  const { words, view, setView, selected, frameSeconds, dispatch, act } = bench
  const { marked } = bench.state
  const { painter, seek } = bench.playback
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
  const reachOf = (edge: Edge) => selected && reachOfEdge(cuts, selected, edge, durationSeconds)
  const [start, end] = [reachOf('start'), reachOf('end')]
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
          onView={setView}
          onSeek={seek}
          onMark={(span) =>
            dispatch({ type: 'mark', span: span && { start: snapped(span.start), end: snapped(span.end) } })
          }
          onSelect={(time) => dispatch({ type: 'select', cut: spanAt(cuts, time) })}
          reach={start && end && { start, end }}
          frameSeconds={frameSeconds}
          onMoveEdge={(edge, to, pull) =>
            dispatch({ type: 'move', edge, to: pull === undefined ? to : snapped(to), pull, found: pauses })
          }
        />
      </div>
      <div className="flex items-center gap-2 border-t border-line px-2 py-1.5">
        <Button aria-label="Zoom in" aria-keyshortcuts="+" className="w-9 px-0" onClick={() => act('zoomIn')}>
          +
        </Button>
        <Button aria-label="Zoom out" aria-keyshortcuts="-" className="w-9 px-0" onClick={() => act('zoomOut')}>
          −
        </Button>
        <Button aria-keyshortcuts="F" onClick={() => act('fit')}>
          Show all
        </Button>
        <Scroller view={view} durationSeconds={durationSeconds} onView={setView} />
      </div>
    </div>
  )
}

interface TrackNameProps {
  readonly icon: IconName
  readonly name: string
  readonly isTall?: boolean
}

function TrackName({ icon, name, isTall = false }: TrackNameProps) {
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

interface ScrollerProps {
  readonly view: View
  readonly durationSeconds: number
  readonly onView: (view: View) => void
}

/** Moves through the media where it is zoomed in, also by touch and by the arrow keys. */
function Scroller({ view, durationSeconds, onView }: ScrollerProps) {
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
