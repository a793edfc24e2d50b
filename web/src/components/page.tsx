import { type ReactNode, useLayoutEffect, useRef } from 'react'

interface Props {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** The heading of a page, which also names the window, and gets the focus when a person arrives from another page. */
export function Page({ title, lead, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  // With the page itself: later, it would take the focus from a field in which a person already types.
  useLayoutEffect(() => {
    document.title = `${title} · Media Timeline`
    if (isFirstPage) isFirstPage = false
    else heading.current?.focus()
  }, [title])
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <div className="flex flex-col gap-2">
        <h1 ref={heading} tabIndex={-1} className="text-xl/7 font-semibold">
          {title}
        </h1>
        {lead && <p className="text-quiet">{lead}</p>}
      </div>
      {children}
    </div>
  )
}

/** The browser itself announces the page that it opens. */
let isFirstPage = true
