import { Button } from '../components/button.tsx'
import { clock } from '../components/format.ts'
import type { Edge } from './edits.ts'
import type { Span } from './spans.ts'

interface Props {
  readonly selected: Span | undefined
  readonly marked: Span | undefined
  readonly onMove: (edge: Edge, to: number) => void
  /** Cuts the marked range, or keeps the selected cut. */
  readonly onDelete: () => void
}

const stepSeconds = 0.05

/** What can be done with the selected cut, or with the marked range. */
export function SelectedCut({ selected, marked, onMove, onDelete }: Props) {
  if (marked)
    return (
      <div className="flex items-center justify-between gap-2">
        <p className="tabular-nums">Marked: {(marked.end - marked.start).toFixed(2)} s</p>
        <Button onClick={onDelete} aria-keyshortcuts="Delete">
          Cut it
        </Button>
      </div>
    )
  if (!selected)
    return (
      <p className="text-xs text-quiet">Select a cut to move its edges, or mark a range in the timeline to cut it.</p>
    )
  return (
    <div className="flex flex-col gap-2">
      {(['start', 'end'] as const).map((edge) => (
        <div key={edge} className="flex items-center gap-2">
          <span className="flex-1 tabular-nums">
            {edge === 'start' ? 'Start' : 'End'} <span className="font-mono">{clock(selected[edge], 2)}</span>
          </span>
          <Button
            aria-label={`Move the ${edge} back`}
            className="w-9 px-0"
            onClick={() => onMove(edge, selected[edge] - stepSeconds)}
          >
            −
          </Button>
          <Button
            aria-label={`Move the ${edge} on`}
            className="w-9 px-0"
            onClick={() => onMove(edge, selected[edge] + stepSeconds)}
          >
            +
          </Button>
        </div>
      ))}
      <Button onClick={onDelete} aria-keyshortcuts="Delete">
        Keep this part
      </Button>
    </div>
  )
}
