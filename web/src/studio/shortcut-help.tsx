import { Dialog } from 'radix-ui'
import { Button } from '../components/button.tsx'
import { shortcutList } from './use-shortcuts.ts'

interface Props {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

/** What the keys of the studio do. */
export function ShortcutHelp({ isOpen, onOpenChange }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Trigger asChild>
        <Button aria-keyshortcuts="?" className="max-sm:hidden">
          Shortcuts
        </Button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 bg-black/60" />
        <Dialog.Content className="fixed left-1/2 top-1/2 flex max-h-dvh w-[min(30rem,calc(100vw-2rem))] -translate-1/2 flex-col gap-4 overflow-auto rounded-[10px] border border-line bg-surface p-6 text-sm">
          <Dialog.Title className="text-base font-semibold">Shortcuts of the studio</Dialog.Title>
          <Dialog.Description className="sr-only">What each key does.</Dialog.Description>
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
          <Dialog.Close asChild>
            <Button>Close</Button>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
