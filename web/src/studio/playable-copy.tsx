import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/client.ts'
import { Empty } from '../components/empty.tsx'
import { PricedJob, type PricedJobProps } from './priced-job.tsx'
import { copySettings, estimateQuery, startCopy } from './studio-queries.ts'
import type { Source } from './use-source.ts'

interface Props extends Pick<PricedJobProps, 'job' | 'mediaUrl' | 'mediaSeconds' | 'isReady'> {
  readonly source: Source
  readonly isSound: boolean
}

/** Says what the browser cannot play, and offers a copy that it can. */
export function PlayableCopy({ source: { problem, isCopy }, isSound, ...media }: Props) {
  const queryClient = useQueryClient()
  // The request by which the search for pauses gets its price, whose button says why the service does not read the file.
  const search = { endpoint: 'audio/detect-silence' as const, media_url: media.mediaUrl }
  const read = useQuery(estimateQuery(search, problem === 'unplayable' && media.isReady && media.mediaSeconds === 0))
  if (!problem) return null
  const kind = isSound ? 'recording' : 'film'
  const what = problem === 'sound only' ? 'plays only the sound of this film' : `cannot play this ${kind}`
  if (read.error instanceof ApiError && read.error.code === 'unsupported_file_type')
    return (
      <Empty
        icon={isSound ? 'sound' : 'media'}
        text={`Neither this browser nor the service can read this ${kind}. Convert it, such as to MP4, then upload that file.`}
      />
    )
  // Where the picture alone is unknown, or a copy in MP4 is too, it may have more colours than H.264 is played with.
  const filmFormat = problem === 'sound only' || isCopy ? 'webm' : 'mp4'
  const format = isSound ? 'm4a' : filmFormat
  const settings = copySettings(format)
  return (
    <Empty
      icon={isSound ? 'sound' : 'media'}
      text={`This browser ${what}. Timeline, transcript and cuts work all the same.`}
    >
      <PricedJob
        {...media}
        label="Make a playable copy"
        request={{ endpoint: 'video/clip-window', start: 0, settings }}
        onStart={async () => {
          await startCopy(media.mediaUrl, settings)
          await queryClient.invalidateQueries({ queryKey: ['jobs'] })
        }}
      />
    </Empty>
  )
}
