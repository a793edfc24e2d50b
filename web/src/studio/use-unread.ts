import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/client.ts'
import { estimateQuery } from './studio-queries.ts'

/** What the service answers where it is the file that it cannot read. */
const unreadable: ReadonlySet<string> = new Set(['unsupported_file_type', 'processing_failed'])

/** Why the service cannot read media that the browser cannot play either. */
export function useUnread(mediaUrl: string, isAsked: boolean): ApiError | undefined {
  // The request by which the search for pauses gets its price.
  const { error } = useQuery(estimateQuery({ endpoint: 'audio/detect-silence', media_url: mediaUrl }, isAsked))
  return error instanceof ApiError && unreadable.has(error.code) ? error : undefined
}
