import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Job } from '../api/queries.ts'
import { type Draft, editorOf, editorReducer, selectedOf } from './editor.ts'
import { rangesToKeep } from './edits.ts'
import { createKeptDrafts } from './kept-drafts.ts'
import type { Span } from './spans.ts'
import { usePauses, useWords } from './use-found.ts'
import { usePlayback } from './use-playback.ts'
import { type Shortcut, useShortcuts } from './use-shortcuts.ts'
import { fitView, revealTime, type View, zoomView } from './view.ts'

const noCuts: readonly Span[] = []
/** For sound, and until a job has read the film. */
const usualFrameRate = 25

export type Workbench = ReturnType<typeof useWorkbench>

/** What a person sees, hears and changes of one media, and what keys and buttons do with it. */
export function useWorkbench(uploadId: string, pausesJob: Job | undefined, wordsJob: Job | undefined) {
  const [drafts] = useState(() => createKeptDrafts(localStorage))
  const [state, dispatch] = useReducer(editorReducer, uploadId, (id) => editorOf(drafts.find(id)))
  const opened = useRef<Draft | undefined>(state.draft)
  useEffect(() => {
    if (state.draft === opened.current) return
    opened.current = undefined
    drafts.keep(uploadId, state.draft)
  }, [drafts, uploadId, state.draft])
  const pauses = usePauses(pausesJob, state.draft)
  const { words, wordsProblem } = useWords(wordsJob)
  const frameSeconds = 1 / (pausesJob?.media_frame_rate ?? wordsJob?.media_frame_rate ?? usualFrameRate)
  const [playedSeconds, setPlayedSeconds] = useState(0)
  const durationSeconds = pauses?.durationSeconds || playedSeconds
  const cuts = pauses?.cuts ?? noCuts
  const playback = usePlayback(cuts, durationSeconds)
  const [wantedView, setView] = useState<View>()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const view = useMemo(
    () => fitView(wantedView ?? { start: 0, end: durationSeconds }, Math.max(durationSeconds, 0.01)),
    [wantedView, durationSeconds],
  )
  const kept = useMemo(() => rangesToKeep(cuts, durationSeconds), [cuts, durationSeconds])
  const selected = selectedOf(cuts, state.selected)

  const goTo = useStable((time: number) => {
    playback.seek(time)
    if (wantedView) setView(revealTime(view, time, durationSeconds))
  })
  const select = useStable((cut: Span | undefined) => {
    dispatch({ type: 'select', cut })
    // With a little of what is before it, so that its joint is heard.
    if (cut) goTo(Math.max(0, cut.start - 1))
  })
  const edit = useStable((kind: 'cut' | 'keep', span: Span) => dispatch({ type: 'edit', edit: { kind, ...span } }))
  const markFrom = (edge: keyof Span) => {
    const whole = { start: 0, end: durationSeconds }
    const span = { ...(state.marked ?? whole), [edge]: playback.painter.current.playhead }
    dispatch({ type: 'mark', span: span.end > span.start ? span : undefined })
  }
  const act = (shortcut: Shortcut) => {
    const now = playback.painter.current.playhead
    const zoom = (factor: number) => setView(zoomView(view, factor, now, durationSeconds))
    const actions: Readonly<Record<Shortcut, () => void>> = {
      play: () => (playback.isPlaying ? playback.pause() : playback.play()),
      back: () => goTo(now - 2),
      stop: playback.pause,
      faster: playback.faster,
      markIn: () => markFrom('start'),
      markOut: () => markFrom('end'),
      frameBack: () => goTo(now - frameSeconds),
      frameOn: () => goTo(now + frameSeconds),
      secondBack: () => goTo(now - 1),
      secondOn: () => goTo(now + 1),
      previousCut: () => select(cuts.findLast(({ start }) => start < (selected?.start ?? now))),
      nextCut: () => select(cuts.find(({ start }) => start > (selected?.start ?? now))),
      delete: () => {
        if (state.marked) edit('cut', state.marked)
        else if (selected) edit('keep', selected)
      },
      undo: () => dispatch({ type: 'undo' }),
      redo: () => dispatch({ type: 'redo' }),
      zoomIn: () => zoom(1 / 2),
      zoomOut: () => zoom(2),
      fit: () => setView(undefined),
      help: () => setHelpOpen(true),
    }
    actions[shortcut]()
  }
  useShortcuts(act)
  return {
    ...{
      state,
      dispatch,
      pauses,
      words,
      wordsProblem,
      cuts,
      kept,
      selected,
      durationSeconds,
      frameSeconds,
      setPlayedSeconds,
      playback,
      view,
      setView,
    },
    ...{ isHelpOpen, setHelpOpen, goTo, select, edit, act },
  }
}

/** The same function at each rendering, which does what the newest one does: parts that get it are not drawn again for each step of a zoom. */
function useStable<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(work)
  latest.current = work
  return useCallback((...args: Args) => latest.current(...args), [])
}
