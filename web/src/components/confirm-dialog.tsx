import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { type Changes, useAction } from './use-action.ts'

interface Props {
  /** The button that opens the dialog, and its name among others of its kind. */
  readonly open: string
  readonly openLabel?: string
  readonly title: string
  readonly confirm: string
  readonly children: ReactNode
  readonly work: () => Promise<unknown>
  readonly changes?: Changes
}

/** Asks before what cannot be undone. Stays open while the work runs, and if it fails. */
export function ConfirmDialog({ open, openLabel, title, confirm, children, work, changes }: Props) {
  const [isOpen, setOpen] = useState(false)
  const action = useAction(work, changes)
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button look="danger" aria-label={openLabel}>
          {open}
        </Button>
      }
      title={title}
      about={children}
      answer={
        <Button look="danger" onClick={() => action.run(undefined, () => setOpen(false))} isBusy={action.isBusy}>
          {confirm}
        </Button>
      }
    >
      <Failure error={action.error} />
    </Dialog>
  )
}
