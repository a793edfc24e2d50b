import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { useCopy } from './use-copy.ts'

interface Props {
  readonly title: string
  readonly secret: string
  readonly onDone: () => void
  readonly children: ReactNode
}

/** A new secret, which no other page shows again. Gets the focus, so that nobody misses it. */
export function Secret({ title, secret, onDone, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { copy, said } = useCopy()
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby="secret" className="flex flex-col gap-4 rounded-xl border-2 border-accent bg-surface p-5">
      <h2 id="secret" ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {title}
      </h2>
      <code className="rounded-md bg-raised p-3 break-all select-all">{secret}</code>
      <div className="text-quiet">{children}</div>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={() => copy(secret)}>
          Copy
        </Button>
        <Button onClick={onDone}>I stored it</Button>
        <span role="status">{said}</span>
      </div>
    </section>
  )
}
