import { Link } from '@tanstack/react-router'
import { Progress } from 'radix-ui'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { bytesInWords } from '../components/format.ts'
import type { SentFile } from './upload-store.ts'
import { useUploads } from './use-uploads.tsx'

/** What this page is sending. */
export function UploadList() {
  const { store, files } = useUploads()
  const shown = files.filter(({ state }) => state !== 'sent')
  if (shown.length === 0) return null
  return (
    <ul aria-label="Uploads" className="flex flex-col gap-2">
      {shown.map((each) => (
        <li key={each.key} className="flex flex-col gap-2 rounded-md border border-line bg-surface p-3">
          <div className="flex items-center gap-3">
            <p className="min-w-0 flex-1 truncate">
              {each.uploadId ? (
                <Link to="/studio/$uploadId" params={{ uploadId: each.uploadId }} className="font-medium underline">
                  {each.file.name}
                </Link>
              ) : (
                each.file.name
              )}
            </p>
            <Button
              aria-label={`${each.state === 'failed' ? 'Remove' : 'Stop'} ${each.file.name}`}
              onClick={() => store.remove(each.key)}
            >
              {each.state === 'failed' ? 'Remove' : 'Stop'}
            </Button>
          </div>
          {each.state === 'failed' ? <Failure error={each.error} /> : <UploadProgress sent={each} />}
        </li>
      ))}
    </ul>
  )
}

/** The state of an upload, as a bar and in words. */
export function UploadProgress({ sent: { file, sentBytes } }: { readonly sent: SentFile }) {
  const percent = file.size === 0 ? 100 : Math.floor((sentBytes / file.size) * 100)
  return (
    <div className="flex items-center gap-3 text-xs text-quiet tabular-nums">
      <Progress.Root
        value={percent}
        aria-label={`Upload of ${file.name}`}
        className="h-1.5 flex-1 overflow-hidden rounded-full bg-raised"
      >
        <Progress.Indicator className="h-full bg-accent" style={{ width: `${percent}%` }} />
      </Progress.Root>
      {bytesInWords(sentBytes)} of {bytesInWords(file.size)}
    </div>
  )
}
