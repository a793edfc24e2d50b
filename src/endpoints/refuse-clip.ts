import { type ClipFormat, contentTypes } from '../core/media.ts'
import type { CutMode } from '../media/clip/clip-receipt.ts'
import { type CaptionsSetting, refuseCaptions } from './fields.ts'

/** The settings of a clip that can rule each other out. */
export interface PictureSettings {
  readonly format?: ClipFormat | undefined
  readonly mode: CutMode
  readonly audio_only: boolean
  readonly aspect: string
  readonly height?: number | undefined
  readonly deinterlace: boolean
  readonly loudness: 'keep' | number
  readonly captions?: CaptionsSetting | undefined
}

/** A message about settings that cannot be met together, whatever the media is. Undefined if there are none. */
export function refuseClip(settings: PictureSettings): string | undefined {
  const captions = settings.captions && refuseCaptions(settings.captions)
  if (captions) return captions
  if (settings.mode === 'copy' && settings.loudness !== 'keep')
    return 'settings.loudness needs sound that is encoded again, and "mode": "copy" encodes nothing. Leave one of them out.'
  const asked = changeOfPicture(settings)
  if (!asked) return undefined
  if (settings.audio_only) return `${asked} needs a picture, which audio_only leaves out. Leave one of them out.`
  if (settings.mode !== 'exact') return `${asked} needs "mode": "exact", because the picture is encoded again.`
  if (settings.format && contentTypes[settings.format].startsWith('audio/'))
    return `${asked} needs a picture, which ${settings.format} cannot hold. Choose mp4, mov, m4v or webm.`
  return undefined
}

/** The first setting that changes the picture. */
export function changeOfPicture({ aspect, height, deinterlace, captions }: PictureSettings): string | undefined {
  if (aspect !== 'source') return 'settings.aspect'
  if (height !== undefined) return 'settings.height'
  if (deinterlace) return 'settings.deinterlace'
  return captions?.as === 'burn' ? 'settings.captions with "as": "burn"' : undefined
}
