import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { CropPoint } from '../../core/picture.ts'
import { joinAcross, type Segment } from '../../core/segments.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { Piece } from '../pieces/obtain-piece.ts'
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

/** The path of a crop; empty if nothing is cropped or the crop keeps to the centre. Pieces write it as their notes. */
export async function readCropPath(
  { findCropPath }: Pick<ClipInput, 'findCropPath'>,
  { track, picture, windows }: CroppedVideo,
  signal: AbortSignal,
): Promise<readonly CropPoint[]> {
  const room = cropRoom(track, picture)
  return room && findCropPath ? findCropPath(room, joinAcross(windows, closeSeconds), signal) : []
}

/** The picture as it was made: a crop along an empty path kept to the centre. */
export function pictureAlong(picture: ClipPicture | null, cropPath: readonly unknown[]): ClipPicture | null {
  return picture?.follows === 'faces' && cropPath.length === 0 ? { ...picture, follows: 'centre' } : picture
}

const notedPath = z.array(z.unknown())

/** The same for a clip of pieces that were obtained in the folder. */
export async function pictureOfPieces(
  picture: ClipPicture | null,
  pieces: readonly Pick<Piece, 'notesName'>[],
  folder: string,
): Promise<ClipPicture | null> {
  const paths = await Promise.all(
    pieces.map(async ({ notesName }) =>
      notesName === undefined ? [] : notedPath.parse(JSON.parse(await readFile(path.join(folder, notesName), 'utf8'))),
    ),
  )
  return pictureAlong(picture, paths.flat())
}
