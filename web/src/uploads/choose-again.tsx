import { useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Problem } from '../components/failure.tsx'
import type { KeptUpload } from './kept-uploads.ts'
import { useUploads } from './upload-context.ts'

/** Goes on with an upload once its file is chosen again: pages that are opened later cannot read it. */
export function ChooseAgain({ upload: { name, size } }: { readonly upload: KeptUpload }) {
  const { store } = useUploads()
  const input = useRef<HTMLInputElement>(null)
  const [other, setOther] = useState<string>()
  const take = (file: File | undefined) => {
    if (!file) return
    const isSame = file.name === name && file.size === size
    setOther(isSame ? undefined : file.name)
    // A failure stands in the list of uploads.
    if (isSame) store.send(file).catch(() => {})
  }
  return (
    <>
      <Button look="primary" onClick={() => input.current?.click()}>
        Choose the file again
      </Button>
      <input
        ref={input}
        type="file"
        aria-label={`${name} again`}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {other && (
        <Problem>
          {other} is another file. Choose {name}.
        </Problem>
      )}
    </>
  )
}
