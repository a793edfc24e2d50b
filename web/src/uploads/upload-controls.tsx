import { Progress } from 'radix-ui'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { bytesInWords } from '../components/format.ts'
import { useUploads } from './upload-context.ts'
import type { SentFile } from './upload-store.ts'

interface ControlsProps {
  readonly sent: SentFile
  /** Called when the upload is to be taken back. */
  readonly onStop?: () => void
}

/** How far an upload is, and what a person can do with it. Nothing once it is sent. */
export function UploadControls({ sent: { key, file, state, sentBytes, error }, onStop }: ControlsProps) {
  const { store } = useUploads()
  if (state === 'sent') return null
  const isSending = state === 'sending'
  const toggle = isSending ? 'Pause' : 'Resume'
  return (
    <div className="flex flex-col gap-2">
      {state === 'failed' && <Failure error={error} />}
      <div className="flex flex-wrap items-center gap-2">
        <UploadProgress name={file.name} size={file.size} sentBytes={sentBytes} />
        <Button
          aria-label={`${toggle} ${file.name}`}
          onClick={() => (isSending ? store.pause(key) : store.resume(key))}
        >
          {toggle}
        </Button>
        <Button
          aria-label={`Stop ${file.name}`}
          onClick={() => {
            onStop?.()
            store.remove(key)
          }}
        >
          Stop
        </Button>
      </div>
    </div>
  )
}

interface ProgressProps {
  readonly name: string
  readonly size: number
  readonly sentBytes: number
}

/** The state of an upload, as a bar and in words. */
export function UploadProgress({ name, size, sentBytes }: ProgressProps) {
  const percent = size === 0 ? 100 : Math.floor((sentBytes / size) * 100)
  return (
    <div className="flex min-w-48 flex-1 items-center gap-3 text-xs text-quiet tabular-nums">
      <Progress.Root
        value={percent}
        aria-label={`Upload of ${name}`}
        className="h-1.5 flex-1 overflow-hidden rounded-full bg-raised"
      >
        <Progress.Indicator className="h-full bg-accent" style={{ width: `${percent}%` }} />
      </Progress.Root>
      {bytesInWords(sentBytes)} of {bytesInWords(size)}
    </div>
  )
}
