import type { CropPoint } from '../../core/picture.ts'
import { joinAcross, type Segment } from '../../core/segments.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { ClipPicture } from './clip-picture.ts'
import type { ClipInput } from './clip-tracks.ts'
import { cropRoom } from './picture-filters.ts'

/** Windows this close are read as one. */
const closeSeconds = 10

interface CroppedVideo {
  readonly track: SourceVideo
  readonly picture: ClipPicture | null
  /** What the clip shows, ascending, on the media's clock. */
  readonly windows: readonly Segment[]
}

/** The path of a crop; empty if nothing is cropped or the crop keeps to the centre. */
export async function readCropPath(
  { findCropPath }: Pick<ClipInput, 'findCropPath'>,
  { track, picture, windows }: CroppedVideo,
  signal: AbortSignal,
): Promise<readonly CropPoint[]> {
  const room = cropRoom(track, picture)
  return room && findCropPath ? findCropPath(room, joinAcross(windows, closeSeconds), signal) : []
}
