import { Link } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { isOpen, type Job } from '../../api/queries.ts'
import { bytesInWords } from '../../components/format.ts'
import { Icon } from '../../components/icon.tsx'

const file = z.object({ name: z.string(), download_url: z.string(), bytes: z.number() })
const filesOf = z.object({ output: z.optional(file), outputs: z.optional(z.array(file)) })

interface Props {
  readonly result: Job['result']
  readonly uploadId: string | undefined
}

/** What a job or a run found or made: its files, its way to the studio, and all of it as the API returns it. */
export function JobResult({ result, uploadId }: Props) {
  const { output, outputs } = filesOf.safeParse(result).data ?? {}
  const files = outputs ?? (output ? [output] : [])
  return (
    <>
      {(files.length > 0 || uploadId) && (
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {files.map(({ name, download_url, bytes }) => (
            <li key={download_url}>
              <a href={download_url} download={name} className="inline-flex items-center gap-1.5 underline">
                <Icon name="download" className="size-4" />
                {name} · {bytesInWords(bytes)}
              </a>
            </li>
          ))}
          {uploadId && (
            <li>
              <Link to="/studio/$uploadId" params={{ uploadId }} className="underline">
                Open in the studio
              </Link>
            </li>
          )}
        </ul>
      )}
      {result && <Json value={result} />}
    </>
  )
}

export function Json({ value }: { readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-raised p-3 text-sm break-all whitespace-pre-wrap">
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}

/** "Running, 40 %". */
export function stateOf({
  status,
  status_detail,
  progress,
}: Pick<Job, 'status' | 'status_detail' | 'progress'>): string {
  if (status_detail) return status_detail === 'canceled' ? 'Canceled' : 'Canceling'
  if (status === 'running') return `Running, ${Math.floor(progress * 100)} %`
  return { queued: 'Queued', completed: 'Completed', succeeded: 'Completed', failed: 'Failed' }[status]
}

/** What a failed job says. Nothing of others. */
export function JobError({ job }: { readonly job: Job }) {
  if (!job.error || isOpen(job) || job.status_detail === 'canceled') return null
  return <p className="text-danger">{job.error.message} It cost nothing.</p>
}

/** audio/detect-silence as Detect silence. */
export function nameOf(endpoint: string): string {
  const words = endpoint.slice(endpoint.indexOf('/') + 1).replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
