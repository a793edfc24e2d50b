import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useId, useRef, useState } from 'react'
import { buttonStyle } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { useUploads } from './use-uploads.tsx'

/** Takes files by drop, or by a button. One file opens in the studio at once. */
export function DropZone() {
  const { store } = useUploads()
  const navigate = useNavigate()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const all = [...(files ?? [])]
    // A failure stands in the list of uploads.
    const sent = all.map((file) => store.send(file))
    for (const each of sent) each.catch(() => {})
    if (sent.length === 1)
      void sent[0]?.then((uploadId) => navigate({ to: '/studio/$uploadId', params: { uploadId } })).catch(() => {})
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
      <p id={`${id}-hint`}>Drop a recording or a film here. It opens in the studio.</p>
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
        multiple
        accept="audio/*,video/*,.mkv,.mka,.amr,.opus"
        aria-label="Recordings or films"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      <p className="text-xs text-quiet">mp4, mov, webm, mkv, mp3, wav, m4a, flac, ogg and more, up to 5 GiB.</p>
    </section>
  )
}
