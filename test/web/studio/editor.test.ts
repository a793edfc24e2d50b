import { describe, expect, it } from 'vitest'
import {
  cutsOf,
  type EditorAction,
  editorReducer,
  type Found,
  newEditor,
  selectedOf,
} from '../../../web/src/studio/editor.ts'

const found = (keptSeconds: number): Found => ({
  pauses: [
    { start: 10, end: 12 },
    { start: 20, end: 22 },
  ],
  settings: { thresholdDb: -40, minSeconds: 0.5, keptSeconds },
  durationSeconds: 100,
})

const stateAfter = (...actions: readonly EditorAction[]) => actions.reduce(editorReducer, newEditor)
const select: EditorAction = { type: 'select', cut: { start: 10.2, end: 11.8 } }
const move = (to: number, now: Found, pull?: number): EditorAction => ({
  ...{ type: 'move', edge: 'start', to, pull, found: now },
})

describe('an edge of the selected cut', () => {
  it('moves from where a slider has brought it', () => {
    // The end of the pause stays the end of the media, so that the selected cut is found again.
    const toEnd = (keptSeconds: number): Found => ({ ...found(keptSeconds), durationSeconds: 22 })
    const slide: EditorAction = { type: 'setting', settings: { keptSeconds: 1 }, pull: 'keptSeconds' }
    const chosen: EditorAction = { type: 'select', cut: { start: 20.2, end: 22 } }
    const { draft, selected, past } = stateAfter(chosen, slide, move(20.6, toEnd(1)))
    expect(draft.edits).toEqual([{ kind: 'keep', start: 20.5, end: 20.6 }])
    expect(selectedOf(cutsOf(draft, toEnd(1)), selected)).toEqual({ start: 20.6, end: 22 })
    expect(past).toHaveLength(2)
  })

  it('leaves one edit and one step to undo for all of a pull', () => {
    const { draft, selected, past } = stateAfter(select, move(10.4, found(0.4), 1), move(10.1, found(0.4), 1))
    expect(draft.edits).toEqual([{ kind: 'cut', start: 10.1, end: 10.2 }])
    expect(selected).toEqual({ start: 10.1, end: 11.8 })
    expect(past).toHaveLength(1)
  })

  it('changes nothing, not even what can be undone, where no cut is selected any more or it stays in its place', () => {
    const gone = stateAfter(select)
    expect(editorReducer(gone, move(10.4, found(1)))).toBe(gone)
    expect(editorReducer(gone, move(10.2, found(0.4)))).toBe(gone)
  })
})
