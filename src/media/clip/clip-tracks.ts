import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { ClipFormat } from '../../core/media.ts'
import type { CropPoint, CropRoom } from '../../core/picture.ts'
import type { Segment } from '../../core/segments.ts'
import type { SourceAudio, Tracks } from '../inspect/tracks.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { CaptionsRequest } from './clip-captions.ts'
import type { PictureRequest } from './clip-picture.ts'
import { containers, type Quality } from './encoders.ts'
import type { LeadBudget } from './lead-budget.ts'

/** Input of both cutting and joining. */
export interface ClipInput {
  readonly tracks: Tracks
  readonly format: ClipFormat
  readonly quality: Quality
  readonly audioOnly: boolean
  /** Length of the fades at both ends and of the crossfades between ranges. */
  readonly fadeSeconds: number
  /** The loudness of every track of the clip. Null keeps the source's. */
  readonly loudnessLufs: number | null
  /** The shape and size of the picture. The source's if left out. */
  readonly picture?: PictureRequest
  /** Makes one progressive picture of the two fields of each frame. Fields are kept where they can be if left out. */
  readonly deinterlace?: boolean
  readonly captions?: CaptionsRequest | null
  /** Finds the path of a crop. The crop keeps to the centre if left out. */
  readonly findCropPath?: FindCropPath | undefined
  /** Shared by all clips of a job. */
  readonly leadBudget: LeadBudget
  /** Temporary files and the poster are written to the same folder. */
  readonly outputPath: string
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/** The path of a crop of the picture in ascending windows. Empty if there is nothing to follow. */
export type FindCropPath = (
  room: CropRoom,
  windows: readonly Segment[],
  signal: AbortSignal,
) => Promise<readonly CropPoint[]>

export interface ClipTracks {
  readonly video: SourceVideo | null
  readonly audio: readonly SourceAudio[]
}

/** The tracks of the window that the clip's format can hold. */
export function chooseClipTracks(
  tracks: Tracks,
  { window, format, audioOnly }: Pick<ClipInput, 'format' | 'audioOnly'> & { readonly window: Segment },
): ClipTracks {
  const container = containers[format]
  const sounding = tracks.audio.filter(({ endSeconds }) => endSeconds > window.start)
  const single = sounding.find(({ isDefault }) => isDefault) ?? sounding[0]
  return {
    video: container.video && !audioOnly ? tracks.video : null,
    audio: container.manyAudioTracks ? sounding : sounding.filter((candidate) => candidate === single),
  }
}

export function emptyClipError({ audio }: Tracks, wantsVideo: boolean): ServiceError {
  if (audio.length === 0 && !wantsVideo) {
    return new ServiceError('no_audio_track', 'The media has no audio track, and this clip can hold only audio.')
  }
  return new ServiceError(
    'invalid_request',
    'The media has no picture and no sound in this window. Choose another window.',
  )
}
