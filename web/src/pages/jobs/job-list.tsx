import { Link } from '@tanstack/react-router'
import type { Job } from '../../api/queries.ts'
import { clock, countOf, minuteOf } from '../../components/format.ts'
import { Price } from '../../components/price.tsx'
import { jobTitle } from '../../components/work-title.ts'
import { ShareButton } from '../../shares/share-button.tsx'
import { JobError, stateOf } from './job-state.tsx'

/** Their results say what was said. */
const transcribing: readonly string[] = ['audio/find-words', 'audio/semantic-chunks']

/** Jobs in rows, as they are now. */
export function JobList({ jobs }: { readonly jobs: readonly Job[] }) {
  return (
    <ul aria-label="Jobs" className="divide-y divide-line overflow-hidden rounded-[10px] border border-line bg-surface">
      {jobs.map((job) => (
        <li
          key={job.id}
          className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[1fr_auto_5rem_8rem_6.5rem]"
        >
          <div className="min-w-0 max-sm:row-span-2">
            <p className="truncate font-medium">
              <Link to="/jobs/$jobId" params={{ jobId: job.id }} className="hover:underline">
                {jobTitle(job)}
              </Link>
              {job.media && <MediaOf job={job} media={job.media} />}
            </p>
            <p className="text-xs text-quiet sm:hidden">
              {minuteOf(job.created_at)} · <Price amount={priceOf(job)} />
            </p>
            <JobError job={job} />
          </div>
          <p className={`text-right ${job.status === 'failed' ? 'text-danger' : 'text-quiet'}`}>{stateOf(job)}</p>
          <p className="text-right text-quiet max-sm:hidden">
            <Price amount={priceOf(job)} />
          </p>
          <p className="text-right text-xs/5 text-quiet max-sm:hidden">{minuteOf(job.created_at)}</p>
          <div className="text-right">
            {job.status === 'completed' && (
              <ShareButton
                jobId={job.id}
                name={[jobTitle(job), nameOf(job.media)].filter(Boolean).join(' of ')}
                hasSource={job.media?.upload_id !== undefined}
                hasTranscript={transcribing.includes(job.endpoint)}
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function priceOf({ final_price_usd: charged, estimated_price_usd: most }: Job): number {
  return charged ?? most ?? 0
}

function nameOf(media: Job['media']): string | undefined {
  return media?.name ?? media?.host
}

function MediaOf({ job, media }: { readonly job: Job; readonly media: NonNullable<Job['media']> }) {
  const name = nameOf(media)
  if (!name) return null
  return (
    <span className="font-normal text-quiet">
      {' · '}
      {media.upload_id && !job.endpoint.startsWith('timeline/') ? (
        <Link to="/studio/$uploadId" params={{ uploadId: media.upload_id }} className="underline">
          {name}
        </Link>
      ) : (
        name
      )}
      {job.media_seconds !== undefined && `, ${clock(job.media_seconds)}`}
    </span>
  )
}

/** "2 jobs running". */
export function runningInWords(count: number): string {
  return `${countOf(count, 'job')} running`
}
