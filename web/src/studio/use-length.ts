import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/client.ts'
import { type Job, lengthBy, type Upload } from '../api/queries.ts'
import { lengthQuery } from './studio-queries.ts'

/** What the service answers where it is the file that it cannot read. */
const unreadable: ReadonlySet<string> = new Set(['unsupported_file_type', 'processing_failed'])

export type MediaLength = ReturnType<typeof useLength>

/** The length by which jobs on an upload are billed: one of them has measured it, or else the service reads it once that is possible. */
export function useLength({ id, media_url }: Upload, jobs: readonly (Job | undefined)[], isPossible: boolean) {
  const measured = lengthBy(jobs, id)
  const read = useQuery(lengthQuery(media_url, isPossible && measured === undefined))
  return {
    seconds: measured ?? read.data,
    /** Whether the service knows it, or could not find it. */
    isRead: measured !== undefined || !read.isPending,
    error: read.error,
    /** Why the service cannot read the media at all. */
    unread: read.error instanceof ApiError && unreadable.has(read.error.code) ? read.error : undefined,
  }
}
