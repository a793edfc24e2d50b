import { applyEdits, cutsOfPauses, type Edge, type Edit, moveEdge, reachOfEdge } from './edits.ts'
import type { Span } from './spans.ts'

/** What is a pause, and what stays of it. */
export interface PauseSettings {
  readonly thresholdDb: number
  /** Of the shortest pause. */
  readonly minSeconds: number
  readonly keptSeconds: number
}

/** What a person can undo. */
export interface Draft {
  /** Those that differ from the settings of the job. */
  readonly settings: Partial<PauseSettings>
  readonly edits: readonly Edit[]
}

export interface EditorState {
  readonly past: readonly Draft[]
  readonly draft: Draft
  readonly future: readonly Draft[]
  readonly selected: Span | undefined
  readonly marked: Span | undefined
  /** What changes with one pull of a handle or a slider is undone at once. */
  readonly pull: { readonly id: number | string; readonly before: Draft; readonly cut: Span | undefined } | undefined
}

/** What the service found by the settings of the draft. */
export interface Found {
  readonly pauses: readonly Span[]
  readonly settings: PauseSettings
  readonly durationSeconds: number
}

export type EditorAction =
  | { readonly type: 'setting'; readonly settings: Partial<PauseSettings>; readonly pull: number | string }
  | { readonly type: 'edit'; readonly edit: Edit }
  | {
      readonly type: 'move'
      readonly edge: Edge
      readonly to: number
      readonly pull: number | undefined
      readonly found: Found
    }
  | { readonly type: 'select'; readonly cut: Span | undefined }
  | { readonly type: 'mark'; readonly span: Span | undefined }
  | { readonly type: 'undo' | 'redo' | 'release' }

export const newEditor: EditorState = {
  past: [],
  draft: { settings: {}, edits: [] },
  future: [],
  selected: undefined,
  marked: undefined,
  pull: undefined,
}

/** The editor with a draft of earlier. Undo takes its edits back, the last one first, and then its settings. */
export function editorOf(draft: Draft): EditorState {
  const before = draft.edits.map((_, index) => ({ ...draft, edits: draft.edits.slice(0, index) }))
  const isSet = Object.keys(draft.settings).length > 0
  return { ...newEditor, draft, past: isSet ? [newEditor.draft, ...before] : before }
}

export function cutsOf({ edits }: Draft, { pauses, settings, durationSeconds }: Found): Span[] {
  return applyEdits(cutsOfPauses(pauses, settings, durationSeconds), edits)
}

export function editorReducer(state: EditorState, action: EditorAction): EditorState {
  switch (action.type) {
    case 'setting': {
      const draft = { ...state.draft, settings: { ...state.draft.settings, ...action.settings } }
      return change(state, draft, action.pull)
    }
    case 'edit': {
      const draft = { ...state.draft, edits: [...state.draft.edits, action.edit] }
      return { ...change(state, draft, undefined), selected: undefined, marked: undefined }
    }
    case 'move':
      return move(state, action)
    case 'select':
      return { ...state, selected: action.cut }
    case 'mark':
      return { ...state, marked: action.span }
    case 'release':
      return { ...state, pull: undefined }
    case 'undo': {
      const draft = state.past.at(-1)
      if (!draft) return state
      return restored(state, { draft, past: state.past.slice(0, -1), future: [state.draft, ...state.future] })
    }
    case 'redo': {
      const [draft, ...future] = state.future
      return draft ? restored(state, { draft, past: [...state.past, state.draft], future }) : state
    }
  }
}

function restored(state: EditorState, history: Pick<EditorState, 'past' | 'draft' | 'future'>): EditorState {
  return { ...state, ...history, selected: undefined, pull: undefined }
}

/** Another draft. Within a pull, it takes the place of the draft before. */
function change(state: EditorState, draft: Draft, pullId: number | string | undefined, cut?: Span): EditorState {
  const isSamePull = pullId !== undefined && state.pull?.id === pullId
  const pull = isSamePull ? state.pull : undefined
  return {
    ...state,
    draft,
    past: isSamePull ? state.past : [...state.past, state.draft],
    future: [],
    pull: pull ?? (pullId === undefined ? undefined : { id: pullId, before: state.draft, cut }),
  }
}

/** Moves an edge of the selected cut. Each move of a pull begins where the pull began, so that it leaves one edit. */
function move(state: EditorState, { edge, to, pull, found }: Extract<EditorAction, { type: 'move' }>): EditorState {
  const pulled = pull !== undefined && state.pull?.id === pull ? state.pull : undefined
  const before = pulled?.before ?? state.draft
  const cuts = cutsOf(before, found)
  const cut = pulled?.cut ?? selectedOf(cuts, state.selected)
  if (!cut) return state
  const moved = moveEdge(cut, edge, to, reachOfEdge(cuts, cut, edge, found.durationSeconds))
  if (!moved && !pulled) return state
  const draft = moved ? { ...before, edits: [...before.edits, moved.edit] } : before
  return { ...change(state, draft, pull, cut), selected: moved?.cut ?? cut }
}

/** The cut that is selected, which a change of the settings may have moved. */
export function selectedOf(cuts: readonly Span[], selected: Span | undefined): Span | undefined {
  return selected && cuts.find(({ start, end }) => start === selected.start || end === selected.end)
}
