import { type RefObject, useMemo, useState } from 'react'
import { countOf } from '../components/format.ts'
import { rulerHeight, trackHeight } from '../studio/draw-timeline.ts'
import { type Painter, Timeline } from '../studio/timeline.tsx'
import type { View } from '../studio/view.ts'
import { type Shared, spansOf, tilesOf } from './shared.ts'

interface Props {
  readonly shared: Shared
  readonly painter: RefObject<Painter>
  readonly onSeek: (time: number) => void
}

const waveHeight = 112

/** The waveform with what was found. The lists below it have the same as text. */
export function SharedTimeline({ shared, painter, onSeek }: Props) {
  const { duration_seconds: durationSeconds, waveform, tracks } = shared
  const [view, setView] = useState<View>({ start: 0, end: durationSeconds })
  const [width, setWidth] = useState(1)
  const shown = useMemo(() => {
    const drawn = tracks.map((track) => ({
      name: track.name,
      color: track.name === 'pause' ? ('silence' as const) : ('words' as const),
      spans: spansOf(track),
    }))
    return { tracks: drawn.filter(({ spans }) => spans.length > 0), tiles: waveform && tilesOf(waveform) }
  }, [tracks, waveform])
  const drawing = useMemo(
    () => ({
      ...{ view, durationSeconds, ...shown, cuts: [] },
      ...{ selected: undefined, marked: undefined, thresholdDb: undefined, draft: undefined },
    }),
    [view, durationSeconds, shown],
  )
  const found = tracks.map(({ name, total }) => countOf(total, name)).join(', ')
  return (
    <figure className="flex flex-col gap-1.5">
      <div
        role="img"
        aria-label={`Timeline${found ? ` with ${found}` : ''}`}
        className="overflow-hidden rounded-md border border-line bg-timeline"
        style={{ height: rulerHeight + waveHeight + shown.tracks.length * trackHeight }}
      >
        <Timeline
          drawing={drawing}
          width={width}
          onWidth={setWidth}
          painter={painter}
          onView={setView}
          onSeek={onSeek}
          onMark={nothing}
          onSelect={nothing}
          reach={undefined}
          frameSeconds={0}
          onMoveEdge={nothing}
        />
      </div>
      {tracks.some(({ name, total }) => name === 'part' && total > 1) && (
        <figcaption className="text-xs text-quiet">The marks below the waveform are where the parts meet.</figcaption>
      )}
    </figure>
  )
}

function nothing(): void {}
