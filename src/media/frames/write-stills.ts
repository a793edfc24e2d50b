import { stat } from 'node:fs/promises'
import type { Picture, Size } from '../../core/picture.ts'
import type { Models } from '../../models/models.ts'
import { type JpegSource, jpegFilters } from '../inspect/sampled-video.ts'
import { layerOptions } from '../inspect/video-track.ts'
import { thumbnailScoreOf } from './frame-quality.ts'
import { type Crop, cropAround, pointOfInterest } from './point-of-interest.ts'
import { type FrameSource, frameRoundingSeconds } from './sample-frames.ts'
import type { PictureSource } from './uploaded-picture.ts'

interface Still {
  /** The part of the picture to keep, in pixels as shown. All of it when left out. */
  readonly crop?: Crop
  readonly path: string
}

export interface StillsInput extends Pick<FrameSource, 'ffmpeg' | 'signal'> {
  readonly tracks: Pick<FrameSource['tracks'], 'input'>
  readonly video: JpegSource
  /** Of a frame that was found: on the clock where the media starts at 0, to the millisecond. */
  readonly seconds: number
  /** All in one folder. */
  readonly stills: readonly Still[]
}

/** A long group of pictures is decoded up to the frame. */
const deadlineSeconds = 120

/** Writes one frame, or parts of it, as JPEGs, as players show it. Returns false if it cannot be decoded. */
export async function writeStills({ tracks, video, ffmpeg, signal, seconds, stills }: StillsInput): Promise<boolean> {
  const outputs = stills.map(({ crop, path }) => ({ path, options: stillOptions(video, crop) }))
  const last = outputs.at(-1)
  if (!last) return true
  await ffmpeg.run({
    input: tracks.input,
    signal,
    deadlineSeconds,
    inputOptions: [
      '-threads',
      '2',
      ...layerOptions(video),
      '-ss',
      Math.max(0, seconds - frameRoundingSeconds).toFixed(4),
    ],
    // The frame is decoded once for all of them.
    outputOptions: [...outputs.slice(0, -1).flatMap(({ path, options }) => [...options, path]), ...last.options],
    output: last.path,
    pixels: video.width * video.height,
  })
  const written = stills.map(({ path }) =>
    stat(path).then(
      ({ size }) => size > 0,
      () => false,
    ),
  )
  return (await Promise.all(written)).every(Boolean)
}

function stillOptions(video: StillsInput['video'], crop: Crop = wholeOf(video.shown)): string[] {
  const { width, height, left, top } = crop
  const filters = [
    ...jpegFilters(video, `${video.shown.width}:${video.shown.height}`),
    ...['setsar=1', `crop=${width}:${height}:${left}:${top}`],
  ]
  return [
    ...['-map', `0:${video.streamIndex}`, '-frames:v', '1', '-filter:v', filters.join(',')],
    ...['-c:v', 'mjpeg', '-q:v', '2', '-strict', 'unofficial', '-f', 'image2', '-update', '1'],
  ]
}

function wholeOf(size: Size): Crop {
  return { ...size, left: 0, top: 0 }
}

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
