import { AlertDialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { useAction } from './use-action.ts'

interface Props {
  /** The button that opens the dialog, and its name among others of its kind. */
  readonly open: string
  readonly openLabel?: string
  readonly title: string
  readonly confirm: string
  readonly children: ReactNode
  readonly work: () => Promise<void>
}

/** Asks before what cannot be undone. Stays open while the work runs, and if it fails. */
export function ConfirmDialog({ open, openLabel, title, confirm, children, work }: Props) {
  const [isOpen, setOpen] = useState(false)
  const action = useAction(async () => {
    await work()
    setOpen(false)
  })
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      <AlertDialog.Trigger asChild>
        <Button look="danger" aria-label={openLabel}>
          {open}
        </Button>
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 bg-black/60" />
        <AlertDialog.Content className="fixed left-1/2 top-1/2 flex max-h-dvh w-[min(32rem,calc(100vw-2rem))] -translate-1/2 flex-col gap-4 overflow-auto rounded-xl border border-line bg-surface p-6">
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="text-quiet">{children}</AlertDialog.Description>
          <Failure error={action.error} />
          <div className="flex flex-wrap justify-end gap-3">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button look="danger" onClick={() => action.run()} isBusy={action.isBusy}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
