import type { Picture } from '../../core/picture.ts'
import type { Models } from '../../models/models.ts'
import { cropAround, pointOfInterest } from './point-of-interest.ts'
import { thumbnailScoreOf } from './thumbnail-quality.ts'
import type { PictureSource } from './uploaded-picture.ts'
import { writeStills } from './write-stills.ts'

/** A frame or a picture to score. */
export interface ThumbnailCandidate {
  readonly picture: Picture
  readonly source: PictureSource
  readonly seconds: number
}

interface ThumbnailFile {
  /** Width by height. */
  readonly aspect: number
  readonly path: string
}

/** Scores a candidate, and writes it cropped to each aspect. Undefined if it cannot be decoded again for that. */
export async function makeThumbnail<File extends ThumbnailFile>(
  models: Models,
  { picture, source, seconds }: ThumbnailCandidate,
  files: readonly File[],
) {
  const faces = await models.run('find-faces', picture)
  const point = pointOfInterest(picture, faces)
  const stills = files.map((file) => ({ ...file, crop: cropAround(point, source.video.shown, file.aspect) }))
  if (!(await writeStills({ ...source, seconds, stills }))) return undefined
  return { ...thumbnailScoreOf(picture, faces), faces, point, stills }
}
