import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { shortcutList } from './use-shortcuts.ts'

interface Props {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export function ShortcutHelp({ isOpen, onOpenChange }: Props) {
  return (
    <Dialog
      open={isOpen}
      onOpenChange={onOpenChange}
      trigger={
        <Button aria-keyshortcuts="?" className="max-sm:hidden">
          Shortcuts
        </Button>
      }
      title="Shortcuts of the studio"
      about="What each key does, wherever the focus is outside of a field."
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {shortcutList.map(([keys, meaning]) => (
          <div key={keys} className="col-span-2 grid grid-cols-subgrid">
            <dt>
              <kbd className="font-mono">{keys}</kbd>
            </dt>
            <dd className="text-quiet">{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
