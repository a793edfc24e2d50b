import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { useCopy } from './use-copy.ts'

interface Props {
  readonly title: string
  readonly secret: string
  /** The button that takes it away. */
  readonly done?: string
  readonly onDone: () => void
  readonly children: ReactNode
}

/** A new secret, which no other page shows again. Gets the focus, so that nobody misses it. */
export function Secret({ title, secret, done = 'I stored it', onDone, children }: Props) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { copy, said } = useCopy()
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 rounded-[10px] border-2 border-accent bg-surface p-5">
      <h2 id={id} ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        {title}
      </h2>
      <code className="rounded-md bg-raised p-3 break-all select-all">{secret}</code>
      <div className="flex flex-col gap-3 text-quiet">{children}</div>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={() => copy(secret)}>
          Copy
        </Button>
        <Button onClick={onDone}>{done}</Button>
        <span role="status">{said}</span>
      </div>
    </section>
  )
}
