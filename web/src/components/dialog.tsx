import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** Without `open`, it keeps by itself whether it is open. */
interface Props extends Pick<Radix.DialogProps, 'open' | 'onOpenChange'> {
  /** The button that opens it. */
  readonly trigger: ReactNode
  readonly title: string
  readonly about: ReactNode
  readonly children?: ReactNode
  /** The button that answers the question of the dialog. A click beside the dialog is no answer. */
  readonly answer?: ReactNode
}

/** A window over the page. Escape closes it too. */
export function Dialog({ trigger, title, about, children, answer, ...state }: Props) {
  return (
    <Radix.Root {...state}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 bg-black/60" />
        <Radix.Content
          role={answer ? 'alertdialog' : 'dialog'}
          onInteractOutside={(event) => {
            if (answer) event.preventDefault()
          }}
          className="fixed left-1/2 top-1/2 flex max-h-dvh w-[min(32rem,calc(100vw-2rem))] -translate-1/2 flex-col gap-4 overflow-auto rounded-[10px] border border-line bg-surface p-6 text-sm"
        >
          <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
          <Radix.Description className="text-quiet">{about}</Radix.Description>
          {children}
          <div className="flex flex-wrap justify-end gap-3">
            <Radix.Close asChild>
              <Button>{answer ? 'Cancel' : 'Close'}</Button>
            </Radix.Close>
            {answer}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
