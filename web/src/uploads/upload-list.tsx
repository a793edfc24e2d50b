import { Link } from '@tanstack/react-router'
import { Button } from '../components/button.tsx'
import { ChooseAgain } from './choose-again.tsx'
import { useUploads } from './upload-context.ts'
import { UploadControls, UploadProgress } from './upload-controls.tsx'

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
      {unfinished.map((each) => (
        <li key={each.key} className={itemStyle}>
          <p className="truncate font-medium">{each.name}</p>
          <p>Choose or drop the file again to go on with its upload.</p>
          <div className="flex flex-wrap items-center gap-2">
            <UploadProgress {...each} />
            <ChooseAgain upload={each} />
            <Button aria-label={`Stop ${each.name}`} onClick={() => store.remove(each.key)}>
              Stop
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

const itemStyle = 'flex flex-col gap-2 rounded-md border border-line bg-surface p-3'
