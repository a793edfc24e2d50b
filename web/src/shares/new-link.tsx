import { Button } from '../components/button.tsx'
import { useCopy } from '../components/use-copy.ts'

/** A link that was just made. The service keeps only a hash of it, so nothing shows it again. */
export function NewLink({ url, onDone }: { readonly url: string; readonly onDone: () => void }) {
  const { copy, said } = useCopy()
  return (
    <section aria-label="The new link" className="flex flex-col gap-3 rounded-md border-2 border-accent p-4">
      <code className="rounded-md bg-raised p-3 break-all select-all">{url}</code>
      <p className="text-quiet">Copy it now: the service keeps no copy, and cannot show it again.</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={() => copy(url)}>
          Copy
        </Button>
        <Button onClick={onDone}>Done</Button>
        <span role="status">{said}</span>
      </div>
    </section>
  )
}
