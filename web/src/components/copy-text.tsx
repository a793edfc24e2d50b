import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useCopy } from './use-copy.ts'

interface Props {
  readonly text: string
  /** What the button copies. */
  readonly label: string
  /** What else can be done with it. */
  readonly children?: ReactNode
}

/** A text for another program. */
export function CopyText({ text, label, children }: Props) {
  const { copy, said } = useCopy()
  return (
    <>
      <pre className="rounded-md bg-raised p-3 text-sm break-all whitespace-pre-wrap select-all">{text}</pre>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => copy(text)}>{label}</Button>
        {children}
        <span role="status">{said}</span>
      </div>
    </>
  )
}
