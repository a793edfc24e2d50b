import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { FileDrop } from './file-drop.tsx'
import { useUploads } from './upload-context.ts'

/** Sends files. A single file opens in the studio immediately. */
function useSend(): (files: readonly File[]) => void {
  const { store } = useUploads()
  const navigate = useNavigate()
  return (files) => {
    // A failure stands in the list of uploads.
    const sent = files.map((file) => store.send(file))
    for (const each of sent) each.catch(() => {})
    if (sent.length === 1)
      void sent[0]?.then((uploadId) => navigate({ to: '/studio/$uploadId', params: { uploadId } })).catch(() => {})
  }
}

/** Takes files that are dropped beside what takes them. For these, a browser would leave the page. */
export function DropAnywhere() {
  const send = useRef<(files: readonly File[]) => void>(() => {})
  send.current = useSend()
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      send.current([...(event.dataTransfer?.files ?? [])].filter(({ size }) => size > 0))
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [])
  return null
}

/** Takes recordings and films. */
export function DropZone() {
  return (
    <FileDrop
      onFiles={useSend()}
      isMultiple
      accept="audio/*,video/*,.mkv,.mka,.amr,.opus"
      drop="Drop a recording or a film here."
      hint="A single file opens in the studio at once."
      label="Recordings or films"
    >
      mp4, mov, webm, mkv, mp3, wav, m4a, flac, ogg and more, up to 5 GB.
    </FileDrop>
  )
}
