import { useState } from 'react'

/** Copies a text, and says whether that worked. */
export function useCopy() {
  const [said, setSaid] = useState('')
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser did not allow it: select the text and copy it.'),
    )
  }
  return { copy, said }
}
