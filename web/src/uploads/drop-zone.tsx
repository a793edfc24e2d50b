import { useNavigate } from '@tanstack/react-router'
import { FileDrop } from './file-drop.tsx'
import { useUploads } from './upload-context.ts'

/** Takes recordings and films. One file opens in the studio at once. */
export function DropZone() {
  const { store } = useUploads()
  const navigate = useNavigate()
  const take = (files: readonly File[]) => {
    // A failure stands in the list of uploads.
    const sent = files.map((file) => store.send(file))
    for (const each of sent) each.catch(() => {})
    if (sent.length === 1)
      void sent[0]?.then((uploadId) => navigate({ to: '/studio/$uploadId', params: { uploadId } })).catch(() => {})
  }
  return (
    <FileDrop
      onFiles={take}
      isMultiple
      accept="audio/*,video/*,.mkv,.mka,.amr,.opus"
      drop="Drop a recording or a film here."
      hint="It opens in the studio."
      label="Recordings or films"
    >
      mp4, mov, webm, mkv, mp3, wav, m4a, flac, ogg and more, up to 5 GiB.
    </FileDrop>
  )
}
