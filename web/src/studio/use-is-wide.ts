import { useSyncExternalStore } from 'react'

/** From here on, the parts of the studio stand beside each other (`styles.css`). */
const wide = window.matchMedia('(width >= 48rem)')

function subscribe(onChange: () => void): () => void {
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches)
}
