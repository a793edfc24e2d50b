import { maxTruePeakDbtp } from '../core/media.ts'
import type { Segment } from '../core/segments.ts'
import { counted } from '../core/text.ts'
import { roundToMillisecond, toMilliseconds } from '../core/time-code.ts'
import type { ClipCaptions } from '../media/clip/clip-captions.ts'
import type { ClipPicture } from '../media/clip/clip-picture.ts'
import type { ClipReceipt, ReceiptRange } from '../media/clip/clip-receipt.ts'
import type { Loudness } from '../media/clip/loudness.ts'
import type { MediaSource } from '../media/source/media-source.ts'
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
    drift_ms: presentMilliseconds(receipt.driftSeconds),
    mode: receipt.mode,
    ...(receipt.fallbackReason === null ? {} : { fallback_reason: receipt.fallbackReason }),
    frames_encoded: receipt.framesEncoded,
    frames_copied: receipt.framesCopied,
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
      ...warnOfDamagedClip(receipt),
      ...warnOfLoudness(receipt),
      ...warnOfHeight(receipt),
      ...warnOfNoCaption(receipt),
      ...warnOfRangesLeftOut(receipt.leftOut.flatMap(nameRange)),
    ],
    bytes_read: source.fetchedBytes(),
  }
}

function presentLoudness({ integratedLufs, truePeakDbtp }: Loudness) {
  const rounded = (value: number) => Math.round(value * 10) / 10
  return { integrated_lufs: rounded(integratedLufs), true_peak_dbtp: rounded(truePeakDbtp) }
}

function warnOfDamagedClip({ decodeErrors, framesEncoded, plannedFrames }: ClipReceipt): string[] {
  if (decodeErrors === 0) return []
  const decoded = framesEncoded < plannedFrames ? ` ${framesEncoded} of ${plannedFrames} frames were decoded.` : ''
  return [`The media is damaged in or shortly before this clip: picture or sound can be missing or wrong.${decoded}`]
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

function presentPicture({ request, fit, follows, width, height }: ClipPicture) {
  return { width, height, aspect: request.aspect, fit, ...(follows ? { follows } : {}) }
}

function presentCaptions({ cues, outside, style }: ClipCaptions) {
  return { ...(style ? { as: 'burn' as const, style } : { as: 'sidecar' as const }), count: cues.length, outside }
}

function warnOfNoCaption({ captions }: ClipReceipt): string[] {
  return captions?.cues.length === 0 ? ['None of the captions is in the clip.'] : []
}

function warnOfHeight({ picture }: ClipReceipt): string[] {
  const asked = picture?.request.heightPixels ?? 0
  if (!picture || asked - picture.height < 2) return []
  return [`The clip is ${picture.height} pixels high instead of ${asked}, because a picture is not enlarged.`]
}

const maxNamedRanges = 20

function warnOfRangesLeftOut(names: readonly string[]): string[] {
  const named = names.slice(0, maxNamedRanges).map((name) => `${name} contains no frame and is not in the clip.`)
  const others = names.length - named.length
  return others > 0
    ? [...named, `Not in the clip, because they contain no frame: ${counted(others, 'more range')}.`]
    : named
}

/** The warnings of all receipts, for the job. With several files, each warning names its file. */
export function gatherWarnings(
  made: readonly {
    readonly receipt: { readonly warnings: readonly string[] }
    readonly files: readonly OutputFile[]
  }[],
): string[] {
  return made.flatMap(({ receipt, files: [file] }) =>
    receipt.warnings.map((warning) => (made.length > 1 && file ? `${file.fileName}: ${warning}` : warning)),
  )
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
