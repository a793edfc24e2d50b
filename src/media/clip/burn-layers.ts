import type { FfmpegPicture, FfmpegPictures } from '../../core/ffmpeg.ts'
import { captionWhite, layerScaleFilters, type SourceVideo } from '../inspect/video-track.ts'
import { type BurntCaptions, burntCaptions, type CaptionedVideo, captionPictures } from './burn-captions.ts'
import { drawnSize } from './clip-picture.ts'
import { type ClipLogo, type LogoPlace, placeLogo } from './logo.ts'
import { overlayFormat, stepExpression } from './picture-filters.ts'
import { tickOf } from './track-arguments.ts'

/** What is drawn over the pictures of a video, one of them at least: a logo, and captions over it. */
export interface BurntLayers {
  readonly captions: BurntCaptions | null
  readonly logo: (LogoPlace & { readonly uploadId: string; readonly pixels: FfmpegPicture }) | null
  /** The brightness of their white, 0 to 255. */
  readonly white: number
}

interface LayeredVideo extends CaptionedVideo {
  readonly logo: ClipLogo | null
}

/** What is to be drawn over a part of a clip, or null. Throws as `burntCaptions`. */
export function burntLayers(video: LayeredVideo): BurntLayers | null {
  const { logo, picture, track } = video
  const captions = burntCaptions(video)
  if (!captions && !logo) return null
  const placed = logo && { ...placeLogo(drawnSize(track, picture), logo), uploadId: logo.uploadId, pixels: logo.pixels }
  return { captions, logo: placed, white: captionWhite(track.colour) }
}

/** What decides the pictures beside the arguments of ffmpeg. Paths differ between workers. */
export function decidedByLayers({ captions, logo }: BurntLayers): unknown[] {
  return [captions, logo?.uploadId]
}

/** The filter that draws the layers, which are the inputs after the first, over the filtered pictures of a track. */
export function layersFilter(track: SourceVideo, filter: string, { captions, logo, white }: BurntLayers): string {
  const tick = tickOf(track)
  const overlay = (left: number, top: number) => `overlay=${left}:${top}:format=${overlayFormat(track)}`
  const marked = captions ? 'marked' : burntLabel
  const logoInput = captions ? 2 : 1
  const part = (white / 255).toFixed(4)
  const shade = white < 255 ? [`colorchannelmixer=rr=${part}:gg=${part}:bb=${part}`] : []
  return [
    `[0:${track.streamIndex}]${filter}[film]`,
    ...(logo
      ? [
          `[${logoInput}:v]${[`settb=${tick}`, ...layerScaleFilters(logo), ...shade].join(',')}[logo]`,
          `[film][logo]${overlay(logo.left, logo.top)}[${marked}]`,
        ]
      : []),
    ...(captions
      ? [
          `[1:v]settb=${tick},setpts='${timesOf(captions)}'[captions]`,
          `[${logo ? marked : 'film'}][captions]${overlay(0, captions.strip.top)}[${burntLabel}]`,
        ]
      : []),
  ].join(';')
}

/** The tick of each picture of the captions. */
function timesOf({ changes }: BurntCaptions): string {
  const [, ...later] = changes
  return stepExpression(
    'N',
    later.map((_, index) => index + 1),
    changes.map(({ tick }) => String(tick)),
  )
}

/** The output of the filter. */
export const burntLabel = 'burnt'

/** The inputs of the filter, in its order. */
export function layerInputs(
  layers: BurntLayers | null,
  { captions }: Pick<CaptionedVideo, 'captions'>,
  signal: AbortSignal,
): (FfmpegPictures | FfmpegPicture)[] {
  return [
    ...(layers?.captions ? [captionPictures(layers.captions, signal, captions?.font)] : []),
    ...(layers?.logo ? [layers.logo.pixels] : []),
  ]
}
