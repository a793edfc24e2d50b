import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { type CropFollows, type CropPoint, cropFollows } from '../../core/picture.ts'
import { durationOf, joinAcross, type Segment } from '../../core/segments.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { Piece } from '../obtain-piece.ts'
import type { ClipInput } from './clip-marks.ts'
import type { ClipPicture } from './clip-picture.ts'
import { cropRoom } from './picture-filters.ts'

// What the crop of a clip follows, and what the receipt says of it.

/** Windows this close are read as one. */
const closeSeconds = 10

/** The stretches whose paths are found together. */
export function followedWindows(windows: readonly Segment[]): Segment[] {
  return joinAcross(windows, closeSeconds)
}

interface CroppedVideo {
  readonly track: SourceVideo
  readonly picture: ClipPicture | null
  /** What the clip shows, ascending, on the media's clock. */
  readonly windows: readonly Segment[]
}

/** The path of a crop; empty if nothing is cropped or the crop keeps to the centre. */
export async function readCropPath(
  { follower }: Pick<ClipInput, 'follower'>,
  { track, picture, windows }: CroppedVideo,
  signal: AbortSignal,
): Promise<readonly CropPoint[]> {
  const room = cropRoom(track, picture)
  return room && follower ? follower.find(room, followedWindows(windows), signal) : []
}

const followedStretch = z.object({
  start: z.number(),
  end: z.number(),
  follows: z.array(z.enum(cropFollows)),
  cutsText: z.boolean(),
})

/** What the crop of a piece followed, what it followed longest first. Pieces write it as their notes. */
export type FollowedStretch = Readonly<z.output<typeof followedStretch>>

/** What a crop along the path follows where the clip shows it. */
export function stretchAlong(cropPath: readonly CropPoint[], windows: readonly Segment[]): FollowedStretch {
  const seconds = new Map<CropFollows, number>()
  let cutsText = false
  for (const [index, { seconds: from, ...point }] of cropPath.entries()) {
    const start = index === 0 ? Number.NEGATIVE_INFINITY : from
    const end = cropPath[index + 1]?.seconds ?? Number.POSITIVE_INFINITY
    const shown = windows.reduce(
      (sum, window) =>
        sum + Math.max(0, durationOf({ start: Math.max(start, window.start), end: Math.min(end, window.end) })),
      0,
    )
    if (shown === 0) continue
    seconds.set(point.follows, (seconds.get(point.follows) ?? 0) + shown)
    cutsText ||= point.cutsText === true
  }
  const longest = [...seconds].toSorted(([, one], [, other]) => other - one)
  return {
    ...{ start: windows[0]?.start ?? 0, end: windows.at(-1)?.end ?? 0 },
    follows: longest.length > 0 ? longest.map(([follows]) => follows) : ['centre'],
    cutsText,
  }
}

/** The picture as it was made. */
export function pictureAlong(picture: ClipPicture | null, stretches: readonly FollowedStretch[]): ClipPicture | null {
  if (!picture?.follows || picture.follows === 'centre') return picture
  const found = new Set(stretches.flatMap(({ follows }) => follows))
  const follows = [picture.follows, ...cropFollows].find((each) => found.has(each)) ?? 'centre'
  return { ...picture, follows, stretches }
}

/** The same for a clip of pieces that were obtained in the folder. */
export async function pictureOfPieces(
  picture: ClipPicture | null,
  pieces: readonly Pick<Piece, 'notesName'>[],
  folder: string,
): Promise<ClipPicture | null> {
  const stretches = await Promise.all(
    pieces.map(async ({ notesName }) =>
      notesName === undefined
        ? []
        : [followedStretch.parse(JSON.parse(await readFile(path.join(folder, notesName), 'utf8')))],
    ),
  )
  return pictureAlong(picture, stretches.flat())
}
