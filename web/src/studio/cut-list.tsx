import { memo } from 'react'
import { clock, countOf } from '../components/format.ts'
import { firstAfter, type Span } from './spans.ts'
import type { View } from './view.ts'

interface Props {
  readonly cuts: readonly Span[]
  readonly view: View
  readonly selected: Span | undefined
  readonly onSelect: (cut: Span) => void
}

const mostRows = 60

/** The cuts that the timeline shows, as text. */
export const CutList = memo(({ cuts, view, selected, onSelect }: Props) => {
  const first = firstAfter(cuts, view.start)
  const inView = cuts.slice(first, first + mostRows).filter(({ start }) => start < view.end)
  return (
    <section aria-label="Cuts in view" className="flex shrink-0 flex-col gap-1">
      <p className="text-xs text-quiet">
        {inView.length === cuts.length
          ? countOf(cuts.length, 'cut')
          : `${inView.length} of ${countOf(cuts.length, 'cut')}, those in view`}
      </p>
      <ul className="max-h-72 overflow-y-auto">
        {inView.map((cut) => (
          <li key={cut.start}>
            <button
              type="button"
              aria-pressed={selected?.start === cut.start}
              onClick={() => onSelect(cut)}
              className="flex min-h-7 w-full items-center justify-between rounded-sm px-2 font-mono text-xs tabular-nums hover:bg-raised aria-pressed:bg-raised aria-pressed:font-semibold pointer-coarse:min-h-11"
            >
              <span>
                {clock(cut.start, 2)} – {clock(cut.end, 2)}
              </span>
              <span className="text-quiet">{(cut.end - cut.start).toFixed(2)} s</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
})
