import path from 'node:path'
import { positionLabel, shapeLabel } from '../core/file-names.ts'
import { type ClipFormat, clipFormatOf, contentTypes, type MediaInfo, posterContentType } from '../core/media.ts'
import { wholeMilliseconds } from '../core/money.ts'
import type { ClipAspect, ClipFit } from '../core/picture.ts'
import { type Segment, totalDuration } from '../core/segments.ts'
import { roundToMillisecond, toMilliseconds } from '../core/time-code.ts'
import type { ClipReceipt } from '../media/clip/clip-receipt.ts'
import type { Quality } from '../media/clip/encoders.ts'
import type { Clip } from '../media/clip/finished-clip.ts'
import type { PictureSettings } from './refuse-clip.ts'
import { clipFiles } from './result-files.ts'
import type { OutputFile } from './run-contract.ts'

export interface ClipSettings extends PictureSettings {
  readonly quality: Quality
  readonly audio_fade_ms: number
  readonly loudness: 'keep' | number
  readonly aspect: ClipAspect
  readonly fit: ClipFit
}

/** The cut options from the settings and the source. */
export function cutOptions(settings: ClipSettings, info: MediaInfo) {
  return {
    format: chooseFormat(settings, info),
    quality: settings.quality,
    audioOnly: settings.audio_only,
    fadeSeconds: settings.audio_fade_ms / 1000,
    loudnessLufs: settings.loudness === 'keep' ? null : settings.loudness,
    deinterlace: settings.deinterlace,
    picture: { aspect: settings.aspect, fit: settings.fit, heightPixels: settings.height ?? null },
  }
}

/**
 * The container that the settings name. By default the source's, or the nearest that clips can have; with audio_only, its
 * counterpart for audio.
 */
function chooseFormat({ format, audio_only }: ClipSettings, info: MediaInfo): ClipFormat {
  if (format) return format
  const nearest = clipFormatOf(info)
  return audio_only && ['mp4', 'mov', 'm4v'].includes(nearest) ? 'm4a' : nearest
}

/** The files of a clip. `startSeconds` names them; undefined for a clip of several ranges. */
export function presentFiles(
  clip: Clip,
  filePath: string,
  format: ClipFormat,
  startSeconds: number | undefined,
): OutputFile[] {
  const durationSeconds = roundToMillisecond(clip.durationSeconds)
  const { width, height, poster } = clip
  const fileName = path.basename(filePath)
  const label = startSeconds === undefined ? 'clip' : `clip-${positionLabel(startSeconds)}`
  const named = { label, ...shapeOf(clip.receipt) }
  const file = { ...named, path: filePath, fileName, contentType: contentTypes[format], durationSeconds, width, height }
  if (!poster) return clipFiles(file)
  const picture = { fileName: path.basename(poster.path), contentType: posterContentType, durationSeconds: 0 }
  return clipFiles(file, { ...poster, ...named, ...picture })
}

/** The height is the clip's, which can be below the one that was asked for. */
function shapeOf({ picture }: ClipReceipt): { readonly shape?: string } {
  if (!picture) return {}
  const { request, height } = picture
  return { shape: shapeLabel({ aspect: request.aspect, heightPixels: request.heightPixels === null ? null : height }) }
}

/** The length produced, at most the length requested: a codec's padding is not billed. */
export function billedMilliseconds(clip: Clip, ...ranges: readonly Segment[]): number {
  const requestedSeconds = totalDuration(ranges)
  return Math.min(toMilliseconds(clip.durationSeconds), wholeMilliseconds(requestedSeconds))
}
