import { type FocusEvent, useEffect, useRef } from 'react'

/** Moves the focus from a button that is gone to what it found, so that keys and screen readers go on there. */
export function useResultFocus<Result extends HTMLElement>(isFound: boolean) {
  const result = useRef<Result>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    if (!isFound || !hadFocus.current) return
    hadFocus.current = false
    if (document.activeElement === document.body) result.current?.focus()
  }, [isFound])
  /** For what holds the button. An element that is taken away leaves the focus to none. */
  const finder = {
    onFocus: () => {
      hadFocus.current = !isFound
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) hadFocus.current = false
    },
  }
  return { result, finder }
}
