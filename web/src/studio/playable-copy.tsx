import type { ApiError } from '../api/client.ts'
import { Empty } from '../components/empty.tsx'
import { PricedJob, type PricedJobProps } from './priced-job.tsx'
import { copySettings, startCopy } from './studio-queries.ts'
import type { Source } from './use-source.ts'

interface Props extends Pick<PricedJobProps, 'job' | 'mediaUrl' | 'mediaSeconds' | 'hindrance' | 'lengthError'> {
  readonly source: Source
  readonly isSound: boolean
  /** Why the service cannot read the media either. */
  readonly unread: ApiError | undefined
}

/** Says what the browser cannot play, and offers a copy that it can. */
export function PlayableCopy({ source: { problem, isCopy }, isSound, unread, ...media }: Props) {
  if (!problem) return null
  const kind = isSound ? 'recording' : 'film'
  const what = problem === 'sound only' ? 'plays only the sound of this film' : `cannot play this ${kind}`
  if (unread) {
    const advice = unread.code === 'unsupported_file_type' ? ' Convert it, such as to MP4, then upload that file.' : ''
    return (
      <Empty
        icon={isSound ? 'sound' : 'media'}
        text={`Neither this browser nor the service can read this ${kind}.${advice}`}
      />
    )
  }
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
        onStart={(maxUsd) => startCopy(media.mediaUrl, settings, maxUsd)}
      />
    </Empty>
  )
}
