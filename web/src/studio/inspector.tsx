import type { RefObject } from 'react'
import type { Job, Upload } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { countOf } from '../components/format.ts'
import { CutList } from './cut-list.tsx'
import { CutResult, Exports } from './cut-result.tsx'
import { PauseSliders } from './pause-sliders.tsx'
import { lengthToSecond } from './receipt-words.ts'
import { Recipes } from './recipes.tsx'
import { SelectedCut } from './selected-cut.tsx'
import { totalSeconds } from './spans.ts'
import { useDebounced } from './use-debounced.ts'
import type { FoundPauses } from './use-found.ts'
import type { Workbench } from './use-workbench.ts'

interface Props {
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly bench: Workbench
  readonly pauses: FoundPauses
  readonly cutId: string | undefined
  readonly cutFile: RefObject<HTMLElement | null>
  readonly cutError: unknown
  readonly wordsJob: Job | undefined
  readonly upload: Upload
  readonly isSound: boolean
}

/** The numbers of the timeline: what is a pause, which parts go, and the file that was cut. */
export function Inspector({ heading, bench, pauses, cutId, cutFile, cutError, wordsJob, upload, isSound }: Props) {
  const { state, dispatch, cuts, kept, selected, durationSeconds, view, words, act, select } = bench
  const settledView = useDebounced(view, 120)
  // A file has so many parts at most. If some cuts are not made, this is what it will lack.
  const cutSeconds = kept.leftOut > 0 ? durationSeconds - totalSeconds(kept.ranges) : totalSeconds(cuts)
  return (
    <>
      <Failure error={cutError} />
      {cutId && (
        <section ref={cutFile} tabIndex={-1} aria-label="The cut file" className="border-b border-line pb-4">
          <CutResult
            jobId={cutId}
            isSound={isSound}
            mediaSeconds={durationSeconds}
            wordsJobId={words && wordsJob?.id}
          />
        </section>
      )}
      <section aria-label="Pauses" className="flex flex-col gap-3">
        <div>
          <h2 ref={heading} tabIndex={-1} className="font-semibold outline-none">
            Pauses
          </h2>
          <p role="status" className={`tabular-nums ${pauses.isOld ? 'text-quiet' : ''}`}>
            {countOf(cuts.length - kept.leftOut, 'cut')}: {lengthToSecond(cutSeconds)} less of{' '}
            {lengthToSecond(durationSeconds)}
          </p>
          {pauses.pauses.length === 0 && (
            <p className="mt-1">
              No pauses were found. Move “Quieter than” to the right or “For at least” to the left, or mark a range in
              the timeline to cut it.
            </p>
          )}
          {kept.leftOut > 0 && (
            <p className="text-danger">
              A file has at most 500 parts. {countOf(kept.leftOut, 'shorter cut')} will not be made.
            </p>
          )}
        </div>
        <PauseSliders
          settings={pauses.settings}
          onChange={(settings, pull) => dispatch({ type: 'setting', settings, pull })}
          onRelease={() => dispatch({ type: 'release' })}
        />
        {pauses.problem && (
          <div className="flex flex-col items-start gap-2">
            <Failure error={pauses.problem} />
            <p>These are still the pauses of before. You can cut once those of the sliders are found.</p>
            <Button onClick={() => void pauses.searchAgain()}>Try again</Button>
          </div>
        )}
      </section>
      <section aria-label="Selection" className="border-t border-line pt-4">
        <SelectedCut
          selected={selected}
          marked={state.marked}
          onMove={(edge, to) => dispatch({ type: 'move', edge, to, pull: undefined, found: pauses })}
          onDelete={() => act('delete')}
        />
      </section>
      <CutList cuts={cuts} view={settledView} selected={selected} onSelect={select} />
      <Exports jobId={pauses.jobId} />
      <Recipes upload={upload} mediaSeconds={durationSeconds} isSound={isSound} marked={state.marked} />
    </>
  )
}
