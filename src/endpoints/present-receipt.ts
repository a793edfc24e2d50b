import path from 'node:path'
import { positionLabel, shapeLabel } from '../core/file-names.ts'
import {
  type ClipFormat,
  clipFormatOf,
  contentTypes,
  type MediaInfo,
  maxTruePeakDbtp,
  posterContentType,
} from '../core/media.ts'
import { wholeMilliseconds } from '../core/money.ts'
import { type Segment, totalDuration } from '../core/segments.ts'
import { counted } from '../core/text.ts'
import { roundToMillisecond, toMilliseconds } from '../core/time-code.ts'
import type { ClipCaptions } from '../media/clip/burn-captions.ts'
import type { ClipPicture } from '../media/clip/clip-picture.ts'
import type { Clip, ClipReceipt, ReceiptRange } from '../media/clip/clip-receipt.ts'
import type { Quality } from '../media/clip/encoders.ts'
import type { Loudness } from '../media/clip/loudness.ts'
import type { SoundRemark } from '../media/clip/uneven-sound.ts'
import type { MediaSource } from '../media/source/media-source.ts'
import type { PictureSettings } from './refuse-clip.ts'
import { clipFiles } from './result-files.ts'
import type { OutputFile } from './run-contract.ts'

/** `nameRange` is what the caller calls a range. */
export function presentReceipt(
  receipt: ClipReceipt,
  source: Pick<MediaSource, 'fetchedBytes'>,
  nameRange: (range: Segment) => string[] = () => [],
) {
  const offset = receipt.audioVideoOffsetSeconds
  return {
    requested: presentTimes(receipt.requested),
    stored: presentTimes(receipt.stored),
    presented: presentTimes(receipt.presented),
    ...(receipt.ranges.length > 1 ? { ranges: receipt.ranges.map((range) => presentRange(range)) } : {}),
    joints: jointsOf(receipt.ranges),
    ...(receipt.jointSteps?.length ? { joint_steps_db: receipt.jointSteps.map(toTenths) } : {}),
    drift_ms: presentMilliseconds(receipt.driftSeconds),
    mode: receipt.mode,
    ...(receipt.fallbackReason === null ? {} : { fallback_reason: receipt.fallbackReason }),
    frames_encoded: receipt.framesEncoded,
    frames_copied: receipt.framesCopied,
    ...(receipt.pieces ? { pieces: { ...receipt.pieces } } : {}),
    audio_video_offset_ms: offset === null ? null : presentMilliseconds(offset),
    variable_frame_rate: receipt.hasVariableFrameRate,
    video_codec: receipt.videoCodec,
    audio_codec: receipt.audioCodec,
    ...(receipt.loudness ? { loudness: receipt.loudness.tracks.map(presentLoudness) } : {}),
    ...(receipt.picture ? { picture: presentPicture(receipt.picture) } : {}),
    ...(receipt.captions ? { captions: presentCaptions(receipt.captions) } : {}),
    substitutions: [...receipt.substitutions],
    dropped_streams: [...receipt.droppedStreams],
    warnings: [
      ...warnOfDecoding(receipt),
      ...receipt.remarks.map((remark) => warningsOfSound[remark]),
      ...warnOfLoss(receipt),
      ...warnOfLoudness(receipt),
      ...warnOfHeight(receipt),
      ...warnOfCutText(receipt),
      ...warnOfNoCaption(receipt),
      ...warnOfCoveredFaces(receipt),
      ...warnOfRangesLeftOut(receipt.leftOut.flatMap(nameRange)),
    ],
    bytes_read: source.fetchedBytes(),
  }
}

function presentLoudness({ integratedLufs, truePeakDbtp }: Loudness) {
  return { integrated_lufs: toTenths(integratedLufs), true_peak_dbtp: toTenths(truePeakDbtp) }
}

/** Avoids −0, as `presentMilliseconds` does. */
function toTenths(decibels: number): number {
  return Math.round(decibels * 10) / 10 || 0
}

function warnOfDecoding({ decodeErrors, missingFrames, plannedFrames }: ClipReceipt): string[] {
  const decoded = missingFrames > 0 ? ` ${plannedFrames - missingFrames} of ${plannedFrames} frames were decoded.` : ''
  if (decodeErrors > 0)
    return [`The media is damaged in or shortly before this clip: picture or sound can be missing or wrong.${decoded}`]
  return decoded === '' ? [] : [`The clip lacks frames that the media lists.${decoded}`]
}

const warningsOfSound: Readonly<Record<SoundRemark, string>> = {
  changing:
    'The sound changes its channels or its sample rate in or shortly before this clip. All of it has the most channels of these, and one rate.',
  inverted:
    'Channels of the sound cancel each other when they are added: one is probably inverted. It was turned over before they were mixed, so that all of them are heard.',
}

/** EBU R 128 allows as much. */
const toleranceLu = 0.5

function warnOfLoudness({ loudness }: ClipReceipt): string[] {
  if (!loudness) return []
  const { requestedLufs: requested, tracks } = loudness
  const missed = tracks.find(({ integratedLufs }) => Math.abs(integratedLufs - requested) > toleranceLu)
  if (tracks.length === 0) return ['The file has no sound, so that settings.loudness changed nothing.']
  const loud = tracks.map(presentLoudness).find((track) => track.true_peak_dbtp > maxTruePeakDbtp)
  return [
    ...(missed
      ? [
          `The loudness is ${presentLoudness(missed).integrated_lufs} LUFS instead of ${requested}: ${missed.integratedLufs < requested ? 'the sound is too quiet or too short, or its peaks are too high' : 'the sound is too short or too uneven'}.`,
        ]
      : []),
    ...(loud
      ? [
          `The true peak is ${loud.true_peak_dbtp} dBTP instead of at most ${maxTruePeakDbtp}: the codec added to sharp sounds. Use a lower loudness, or a format without loss.`,
        ]
      : []),
  ]
}

function presentPicture({ request, fit, follows, stretches, width, height }: ClipPicture) {
  return {
    ...{ width, height, aspect: request.aspect, fit },
    ...(follows ? { follows } : {}),
    ...(stretches
      ? { stretches: stretches.map((each) => ({ ...presentTimes(each), follows: [...each.follows] })) }
      : {}),
  }
}

function presentCaptions({ cues, outside, look }: ClipCaptions) {
  return {
    ...(look ? { as: 'burn' as const, style: look.style } : { as: 'sidecar' as const }),
    count: cues.filter(({ spoken = 0 }) => spoken === 0).length,
    outside,
  }
}

function warnOfNoCaption({ captions }: ClipReceipt): string[] {
  return captions?.cues.length === 0 ? ['None of the captions is in the clip.'] : []
}

function warnOfCoveredFaces({ captions, picture }: ClipReceipt): string[] {
  const isInMiddle = captions?.look?.position === 'middle' && captions.cues.length > 0
  if (!isInMiddle || !picture?.stretches?.some(({ follows }) => follows.includes('faces'))) return []
  return ['Captions in the middle cover faces that the crop follows. Send "position": "bottom" to keep them free.']
}

function warnOfHeight({ picture }: ClipReceipt): string[] {
  const asked = picture?.request.heightPixels ?? 0
  if (!picture || asked - picture.height < 2) return []
  return [`The clip is ${picture.height} pixels high instead of ${asked}, because a picture is not enlarged further.`]
}

function warnOfCutText({ picture }: ClipReceipt): string[] {
  if (!picture?.stretches?.some(({ cutsText }) => cutsText)) return []
  return ['Lines of text are wider than the crop, and are cut. Send "fit": "blur" or "pad" to keep them whole.']
}

function warnOfLoss({ losses }: ClipReceipt): string[] {
  return losses.length === 0 ? [] : [`The clip does not keep all that the media has: ${losses.join(', ')}.`]
}

const maxNamedRanges = 20

function warnOfRangesLeftOut(names: readonly string[]): string[] {
  const named = names.slice(0, maxNamedRanges).map((name) => `${name} contains no frame and is not in the clip.`)
  const others = names.length - named.length
  return others > 0
    ? [...named, `Not in the clip, because they contain no frame: ${counted(others, 'more range')}.`]
    : named
}

/** Avoids −0, which JSON cannot represent. */
function presentMilliseconds(seconds: number): number {
  return toMilliseconds(seconds) || 0
}

function presentRange({ requested, presented, atSeconds }: ReceiptRange) {
  return { requested: presentTimes(requested), presented: presentTimes(presented), at: roundToMillisecond(atSeconds) }
}

/** Counts gaps between ranges. A gap shorter than a frame leaves no joint. */
function jointsOf(ranges: readonly ReceiptRange[]): number {
  return ranges.filter(({ presented }, index) => index > 0 && presented.start !== ranges[index - 1]?.presented.end)
    .length
}

function presentTimes({ start, end }: Segment): { start: number; end: number } {
  return { start: roundToMillisecond(start), end: roundToMillisecond(end) }
}

export interface ClipSettings extends PictureSettings {
  readonly quality: Quality
  readonly audio_fade_ms: number
  readonly loudness: 'keep' | number
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
