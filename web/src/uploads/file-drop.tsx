import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { buttonStyle } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'

interface Props {
  readonly onFiles: (files: readonly File[]) => void
  readonly isMultiple?: boolean
  /** The types that the browser's own dialog offers. */
  readonly accept: string
  /** What to drop, in a sentence: fingers drop nothing, so that phones do not show it. */
  readonly drop: string
  /** What happens then, in a sentence. */
  readonly hint?: string
  /** What the button chooses. */
  readonly label: string
  /** What is accepted. */
  readonly children: ReactNode
}

/** Takes files by drop, or by a button. */
export function FileDrop({ onFiles, isMultiple = false, accept, drop, hint, label, children }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [empty, setEmpty] = useState<readonly File[]>([])
  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])]
    setEmpty(chosen.filter(({ size }) => size === 0))
    const filled = chosen.filter(({ size }) => size > 0)
    if (filled.length > 0) onFiles(filled)
  }
  const drag = (isInside: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isInside)
  }
  return (
    <section
      aria-label="Upload"
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event)
        take(event.dataTransfer.files)
      }}
      className={`flex flex-col items-center gap-3 rounded-[10px] border border-dashed px-6 py-10 text-center ${isOver ? 'border-accent bg-raised' : 'border-edge bg-surface'}`}
    >
      <Icon name="upload" className="size-8 text-quiet" />
      <p id={`${id}-hint`}>
        <span className="pointer-coarse:hidden">{drop} </span>
        {hint}
      </p>
      <button
        type="button"
        className={buttonStyle.primary}
        aria-describedby={`${id}-hint`}
        onClick={() => input.current?.click()}
      >
        Choose a file
      </button>
      <input
        ref={input}
        type="file"
        multiple={isMultiple}
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      {empty.map(({ name }) => (
        <p key={name} role="alert" className="text-danger">
          The file {name} is empty. Choose another one.
        </p>
      ))}
      <p className="text-xs text-quiet">{children}</p>
    </section>
  )
}
