import { type ClipFormat, contentTypes } from '../core/media.ts'
import type { ClipAspect, ClipFit, CropSubject, FocusPoint, PicturePoint } from '../core/picture.ts'
import type { CutMode } from '../media/clip/clip-receipt.ts'
import { type CaptionsSetting, refuseCaptions } from './fields.ts'

/** The settings of a clip that can rule each other out. */
export interface PictureSettings {
  readonly format?: ClipFormat | undefined
  readonly mode: CutMode
  readonly audio_only: boolean
  readonly aspect: ClipAspect
  readonly fit: ClipFit
  readonly focus: CropSubject | PicturePoint
  readonly focus_points: readonly FocusPoint[]
  readonly height?: number | undefined
  readonly deinterlace: boolean
  readonly loudness: 'keep' | number
  readonly captions?: CaptionsSetting | undefined
  readonly brand?: string | undefined
}

/** A message about settings that cannot be met together, whatever the media is. Undefined if there are none. */
export function refuseClip(settings: PictureSettings): string | undefined {
  const captions = settings.captions && refuseCaptions(settings.captions)
  if (captions) return captions
  if (settings.mode === 'copy' && settings.loudness !== 'keep')
    return 'settings.loudness needs sound that is encoded again, and "mode": "copy" encodes nothing. Leave one of them out.'
  const focus = refuseFocus(settings)
  if (focus) return focus
  const asked = changeOfPicture(settings)
  if (!asked) return undefined
  if (settings.audio_only) return `${asked} needs a picture, which audio_only leaves out. Leave one of them out.`
  if (settings.mode !== 'exact') return `${asked} needs "mode": "exact", because the picture is encoded again.`
  if (settings.format && contentTypes[settings.format].startsWith('audio/'))
    return `${asked} needs a picture, which ${settings.format} cannot hold. Choose mp4, mov, m4v or webm.`
  return undefined
}

function refuseFocus({ aspect, fit, focus, focus_points: points }: PictureSettings): string | undefined {
  const point = points.find(({ start, end }) => end <= start)
  if (point)
    return `A point of settings.focus_points ends at ${point.end}, which is not after its start, ${point.start}.`
  if ((focus === 'faces' && points.length === 0) || (aspect !== 'source' && fit === 'crop')) return undefined
  return 'settings.focus and settings.focus_points move a crop: they need an aspect such as 9:16, and "fit": "crop".'
}

/** The first setting that changes the picture. */
export function changeOfPicture({ aspect, height, deinterlace, captions, brand }: PictureSettings): string | undefined {
  if (aspect !== 'source') return 'settings.aspect'
  if (height !== undefined) return 'settings.height'
  if (deinterlace) return 'settings.deinterlace'
  if (captions?.as === 'burn') return 'settings.captions with "as": "burn"'
  return brand === undefined ? undefined : 'settings.brand'
}
