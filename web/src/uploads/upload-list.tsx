import { Link } from '@tanstack/react-router'
import { Progress } from 'radix-ui'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { bytesInWords } from '../components/format.ts'
import type { SentFile } from './upload-store.ts'
import { useUploads } from './use-uploads.tsx'

/** What this page is sending, and what earlier ones have not sent to the end. */
export function UploadList() {
  const { store, files, unfinished } = useUploads()
  const shown = files.filter(({ state }) => state !== 'sent')
  if (shown.length + unfinished.length === 0) return null
  return (
    <ul aria-label="Uploads" className="flex flex-col gap-2">
      {shown.map((each) => (
        <li key={each.key} className={itemStyle}>
          <p className="truncate">
            {each.uploadId ? (
              <Link to="/studio/$uploadId" params={{ uploadId: each.uploadId }} className="font-medium underline">
                {each.file.name}
              </Link>
            ) : (
              each.file.name
            )}
          </p>
          <UploadControls sent={each} />
        </li>
      ))}
      {unfinished.map(({ key, name, size, sentBytes }) => (
        <li key={key} className={itemStyle}>
          <div className="flex items-center gap-3">
            <p className="min-w-0 flex-1 truncate font-medium">{name}</p>
            <Button aria-label={`Stop ${name}`} onClick={() => store.remove(key)}>
              Stop
            </Button>
          </div>
          <p>Choose or drop the file again to go on with its upload.</p>
          <UploadProgress name={name} size={size} sentBytes={sentBytes} />
        </li>
      ))}
    </ul>
  )
}

const itemStyle = 'flex flex-col gap-2 rounded-md border border-line bg-surface p-3'

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
function UploadProgress({ name, size, sentBytes }: ProgressProps) {
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
