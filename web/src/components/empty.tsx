import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  readonly icon: IconName
  /** One sentence. */
  readonly text: string
  /** The one thing to do. */
  readonly children?: ReactNode
}

/** What a list shows before it has anything. */
export function Empty({ icon, text, children }: Props) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 rounded-[10px] border border-dashed border-line px-6 py-10 text-center text-quiet">
      <Icon name={icon} className="size-8" />
      <p className="max-w-md text-balance">{text}</p>
      {children}
    </div>
  )
}
