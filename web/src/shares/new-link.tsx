import type { ReactNode } from 'react'
import { Secret } from '../components/secret.tsx'

interface Props {
  readonly url: string
  readonly onDone: () => void
  readonly children?: ReactNode
}

/** A link that was just made. The service keeps only a hash of it, so nothing shows it again. */
export function NewLink({ url, onDone, children }: Props) {
  return (
    <Secret title="The new link" secret={url} done="Done" onDone={onDone}>
      <p>Copy it now: the service keeps no copy, and cannot show it again.</p>
      {children}
    </Secret>
  )
}
