import { useEffect, useRef } from 'react'

export type Shortcut =
  | 'play'
  | 'back'
  | 'stop'
  | 'faster'
  | 'markIn'
  | 'markOut'
  | 'frameBack'
  | 'frameOn'
  | 'secondBack'
  | 'secondOn'
  | 'previousCut'
  | 'nextCut'
  | 'delete'
  | 'undo'
  | 'redo'
  | 'zoomIn'
  | 'zoomOut'
  | 'fit'
  | 'help'

/** What the keys do, in words, in the order in which they are listed. */
export const shortcutList: readonly (readonly [keys: string, meaning: string])[] = [
  ['Space', 'Play or pause'],
  ['J, K, L', 'Back two seconds, pause, play and then faster'],
  ['Left, Right', 'A frame back or on'],
  ['Left, Right on an edge', 'Moves it by 10 ms, with Shift by a frame'],
  ['Shift + Left, Right', 'A second back or on'],
  ['I, O', 'Mark the start and the end of a range'],
  ['[ ]', 'To the cut before or after'],
  ['Delete', 'Cut the marked range, or keep the selected cut'],
  ['Ctrl + Z, Ctrl + Shift + Z', 'Undo, redo'],
  ['+ −', 'Zoom in or out'],
  ['F', 'Show all'],
  ['?', 'This list'],
]

const plainKeys: Readonly<Record<string, Shortcut>> = {
  ' ': 'play',
  j: 'back',
  k: 'stop',
  l: 'faster',
  i: 'markIn',
  o: 'markOut',
  ArrowLeft: 'frameBack',
  ArrowRight: 'frameOn',
  '[': 'previousCut',
  ']': 'nextCut',
  Delete: 'delete',
  Backspace: 'delete',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  f: 'fit',
  '?': 'help',
}

const shiftedKeys: Readonly<Record<string, Shortcut>> = { ArrowLeft: 'secondBack', ArrowRight: 'secondOn' }

/** What the key does, unless the element that has the focus needs it. */
function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
  const element = target instanceof Element ? target : undefined
  if (altKey || element?.matches('input:not([type=checkbox]), textarea, select, [role=dialog] *')) return undefined
  if (ctrlKey || metaKey) return shortcutWithControl(key, shiftKey)
  if (element && needsKey(element, key)) return undefined
  if (shiftKey && key in shiftedKeys) return shiftedKeys[key]
  return plainKeys[key.length === 1 ? key.toLowerCase() : key]
}

function shortcutWithControl(key: string, isShifted: boolean): Shortcut | undefined {
  if (key.toLowerCase() !== 'z') return undefined
  return isShifted ? 'redo' : 'undo'
}

function needsKey(element: Element, key: string): boolean {
  if (element.matches('[role=slider], audio, video')) return key === ' ' || key.startsWith('Arrow')
  return key === ' ' && element.matches('button, a, summary, input')
}

export function useShortcuts(act: (shortcut: Shortcut) => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const shortcut = event.defaultPrevented ? undefined : shortcutOf(event)
      if (!shortcut) return
      event.preventDefault()
      latest.current(shortcut)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
