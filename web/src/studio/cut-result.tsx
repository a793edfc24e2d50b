import { useQuery } from '@tanstack/react-query'
import { isOpen } from '../api/is-open.ts'
import { jobQuery } from '../api/queries.ts'
import { buttonStyle } from '../components/button.tsx'
import { Failure, JobFailure } from '../components/failure.tsx'
import { bytesInWords } from '../components/format.ts'
import { Icon } from '../components/icon.tsx'
import { Price } from '../components/price.tsx'
import { ShareButton } from '../shares/share-button.tsx'
import { lengthToSecond, syncInWords } from './receipt-words.ts'
import { clipResult } from './studio-queries.ts'

interface Props {
  readonly jobId: string
  readonly isSound: boolean
  readonly mediaSeconds: number
  /** The job that heard the words, whose subtitles fit the file. */
  readonly wordsJobId: string | undefined
}

/** High enough for a finger. */
const linkStyle = 'underline pointer-coarse:inline-block pointer-coarse:py-3'

/** The file that was cut: heard, told in words, and to take home. */
export function CutResult({ jobId, isSound, mediaSeconds, wordsJobId }: Props) {
  const { data: job, error } = useQuery(jobQuery(jobId))
  if (error) return <Failure error={error} />
  if (!job || isOpen(job)) return <p role="status">Cutting, {Math.floor((job?.progress ?? 0) * 100)} % …</p>
  if (job.status === 'failed') return <JobFailure error={job.error} />
  const found = clipResult.safeParse(job.result)
  if (!found.success) return <Failure error={found.error} />
  const { output, receipt } = found.data
  const seconds = output.duration ?? 0
  return (
    <div className="flex flex-col gap-3">
      {isSound ? (
        // biome-ignore lint/a11y/useMediaCaption: subtitles are to download
        <audio controls src={output.url} aria-label="The cut file" className="w-full" />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: subtitles are to download
        <video controls src={output.url} aria-label="The cut file" className="max-h-64 w-full bg-black" />
      )}
      <p role="status">
        <strong>{lengthToSecond(seconds)}</strong> instead of {lengthToSecond(mediaSeconds)}, for{' '}
        <Price amount={job.final_price_usd ?? 0} />. {syncInWords(receipt)}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <a href={output.download_url} download={output.name} className={buttonStyle.primary}>
          <Icon name="download" className="size-4" />
          Download · {bytesInWords(output.bytes)}
        </a>
        <ShareButton jobId={jobId} name={output.name} hasSource />
        {wordsJobId && <Subtitles wordsJobId={wordsJobId} cutJobId={jobId} />}
      </div>
    </div>
  )
}

function Subtitles({ wordsJobId, cutJobId }: { readonly wordsJobId: string; readonly cutJobId: string }) {
  return (
    <>
      {(['srt', 'vtt'] as const).map((format) => (
        <a
          key={format}
          href={`/v1/jobs/${wordsJobId}/export?as=${format}&output_of=${cutJobId}`}
          download
          className={linkStyle}
        >
          Subtitles ({format})
        </a>
      ))}
    </>
  )
}

/** The formats for editors and spreadsheets of what a job found. */
export function Exports({ jobId }: { readonly jobId: string }) {
  const formats = [
    ['csv', 'Spreadsheet'],
    ['labels', 'Audacity'],
    ['fcpxml', 'Final Cut, Resolve'],
    ['xmeml', 'Premiere'],
    ['edl', 'EDL'],
  ] as const
  const kinds = [
    ['The sounds, cut together', 'what=cuts'],
    ['The pauses, marked on the recording', 'what=markers&list=silences'],
  ] as const
  return (
    <details className="text-xs">
      <summary className="cursor-pointer py-1 pointer-coarse:py-3">Export the found sounds and pauses</summary>
      {kinds.map(([kind, query]) => (
        <section key={kind} aria-label={kind} className="pt-1">
          {kind}
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {formats.map(([format, name]) => (
              <li key={format}>
                <a href={`/v1/jobs/${jobId}/export?as=${format}&${query}`} download className={linkStyle}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  )
}
