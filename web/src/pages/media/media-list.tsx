import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { isOpen } from '../../api/is-open.ts'
import { jobsQuery, lengthBy, type Upload } from '../../api/queries.ts'
import { bytesInWords, dayOf, lengthInWords, minuteOf } from '../../components/format.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { jobTitle } from '../../components/work-title.ts'
import { stateOf } from '../jobs/job-state.tsx'

interface Props {
  readonly uploads: readonly Upload[]
  /** What a person can do with one of them, at the end of its row. */
  readonly Actions?: ComponentType<Upload>
}

/** Each upload leads to its studio. What is said of it beside its file, its newest jobs know. */
export function MediaList({ uploads, Actions }: Props) {
  const { data } = useInfiniteQuery(jobsQuery)
  const jobs = data?.pages.flatMap((page) => page.jobs) ?? []
  return (
    <ul
      aria-label="Media"
      className="divide-y divide-line overflow-hidden rounded-[10px] border border-line bg-surface"
    >
      {uploads.map((upload) => {
        const { id, name, content_type, status, bytes, created_at, kept_until } = upload
        return (
          <li key={id} className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-raised">
            <Icon name={iconOf(content_type)} className="size-5 text-quiet" />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">
                <Link to="/studio/$uploadId" params={{ uploadId: id }} className="after:absolute after:inset-0">
                  {name}
                </Link>
              </p>
              <p className="text-xs text-quiet sm:truncate">
                {jobs
                  .filter((job) => job.media?.upload_id === id && isOpen(job))
                  .map((job) => `${jobTitle(job)}: ${stateOf(job)} · `)}
                Kept until {dayOf(kept_until)}
              </p>
            </div>
            <p className="shrink-0 text-xs text-quiet tabular-nums">
              {status === 'waiting' ? 'Not uploaded' : sizeInWords(bytes ?? 0, lengthBy(jobs, id))}
            </p>
            <p className="w-32 shrink-0 text-right text-xs text-quiet max-sm:hidden">{minuteOf(created_at)}</p>
            {Actions && (
              <div className="relative shrink-0">
                <Actions {...upload} />
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function sizeInWords(bytes: number, seconds: number | undefined): string {
  return seconds ? `${lengthInWords(seconds)} · ${bytesInWords(bytes)}` : bytesInWords(bytes)
}

function iconOf(contentType: string): IconName {
  return contentType.startsWith('audio/') ? 'sound' : 'media'
}
