import { memo } from 'react'
import { clock } from '../components/format.ts'
import { listedCuts } from './listed-cuts.ts'
import type { Span } from './spans.ts'
import type { View } from './view.ts'

interface Props {
  readonly cuts: readonly Span[]
  readonly view: View
  readonly selected: Span | undefined
  readonly onSelect: (cut: Span) => void
}

/** The cuts that the timeline shows, as text. */
export const CutList = memo(({ cuts, view, selected, onSelect }: Props) => {
  const { listed, heading } = listedCuts(cuts, view)
  return (
    <section aria-label="Cuts in view" className="flex shrink-0 flex-col gap-1">
      <p className="text-xs text-quiet">{heading}</p>
      <ul className="max-h-72 overflow-y-auto">
        {listed.map((cut) => (
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
