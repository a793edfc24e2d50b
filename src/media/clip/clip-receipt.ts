import path from 'node:path'
import { runBothOrAbort } from '../../core/abortable.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import type { Size } from '../../core/picture.ts'
import { durationOf, type Segment, totalDuration } from '../../core/segments.ts'
import { readFinishedFile } from '../inspect/inspect.ts'
import type { PacketSpan } from '../inspect/packets.ts'
import type { SourceAudio, Tracks } from '../inspect/tracks.ts'
import { dynamicRangeOf, type SourceVideo } from '../inspect/video-track.ts'
import type { ClipCaptions } from './burn-captions.ts'
import type { ClipTracks } from './clip-marks.ts'
import type { ClipPicture } from './clip-picture.ts'
import { encodingDeadline } from './encode-limits.ts'
import { type Loudness, measureLoudness, meterOptions } from './loudness.ts'
import { makePoster, type Poster } from './poster.ts'
import type { MadeSound } from './uneven-sound.ts'

/** exact: everything is encoded. smart: whole groups of pictures are copied. copy: nothing is encoded. */
export type CutMode = 'exact' | 'smart' | 'copy'

/** How a clip differs from the source. Times are on the source's clock, in seconds. */
export interface ClipReceipt extends MadeSound {
  readonly requested: Segment
  /** Includes encoder priming and padding, which players skip. */
  readonly stored: Segment
  readonly presented: Segment
  /** By which the clip was made. */
  readonly mode: CutMode
  /** Why that is not the mode asked for; null if it is. */
  readonly fallbackReason: string | null
  readonly framesEncoded: number
  readonly framesCopied: number
  /** The number of the source's frames in the clip, by their timestamps. */
  readonly plannedFrames: number
  /** Of these, the frames that no decoder gave. */
  readonly missingFrames: number
  /** Requested ranges that contain no frame. */
  readonly leftOut: readonly Segment[]
  /** End of audio minus end of video; null where one is missing. */
  readonly audioVideoOffsetSeconds: number | null
  readonly hasVariableFrameRate: boolean
  readonly videoCodec: string | null
  readonly audioCodec: string | null
  /** Null if no loudness was asked for. */
  readonly loudness: ClipLoudness | null
  /** Null if the source's shape and size were kept. */
  readonly picture: ClipPicture | null
  /** Null if none were asked for. */
  readonly captions: ClipCaptions | null
  readonly substitutions: readonly string[]
  readonly droppedStreams: readonly string[]
  /** Of both, what people miss who did not ask for it to change. */
  readonly losses: readonly string[]
  /** Which part of the source is where in the clip; one range if nothing was joined. */
  readonly ranges: readonly ReceiptRange[]
  /** Length of the clip minus the requested length. */
  readonly driftSeconds: number
}

interface ClipLoudness {
  readonly requestedLufs: number
  /** As measured in each audio track of the clip. */
  readonly tracks: readonly Loudness[]
}

export interface ReceiptRange {
  readonly requested: Segment
  readonly presented: Segment
  /** Start in the clip. */
  readonly atSeconds: number
}

/** The part of a cut or join plan that the receipt compares the clip with. */
export interface ClipPlan extends ClipTracks {
  readonly requested: readonly Segment[]
  /**
   * The source's time at the clip's 0: `zeroSeconds` counts from the first range, `endZeroSeconds` back from the last. They
   * differ by what was cut out.
   */
  readonly zeroSeconds: number
  readonly endZeroSeconds: number
  readonly plannedFrames: number
  /** Null keeps the source's. */
  readonly picture: ClipPicture | null
  readonly captions: ClipCaptions | null
  readonly mode: CutMode
  /** Of the planned frames; with `copy`, all frames are. */
  readonly framesCopied: number
  /** Requested ranges that contain no frame. */
  readonly leftOut: readonly Segment[]
  /** Omitted if nothing was joined. */
  readonly ranges?: readonly ReceiptRange[]
}

interface FinishedClip extends MadeSound {
  readonly tracks: Tracks
  readonly spans: ReadonlyMap<number, PacketSpan>
  readonly loudness: ClipLoudness | null
}

/** A raw AAC stream cannot mark its first block as encoder priming, so players play it. */
const aacPrimingSamples = 1024

function clipReceipt(tracks: Tracks, plan: ClipPlan, clip: FinishedClip): ClipReceipt {
  const { tracks: made, spans } = clip
  const all = [...spans.values()]
  // Packets before 0 are for decoders only.
  const firstPlayed = Math.max(0, Math.min(...all.map(({ start }) => start)))
  const [audio] = made.audio
  const { video } = made
  // Copied packets keep the source's delay, of which the plan knows.
  const isEncoded = plan.mode !== 'copy'
  const priming = isEncoded ? primingSeconds(made) : 0
  // An MP3 starts after its decoder's delay.
  const clipZero = isEncoded && made.input.format === 'mp3' ? firstPlayed : 0
  const onSourceClock = (seconds: number) => seconds - clipZero + plan.zeroSeconds - priming
  const fromTheEnd = (seconds: number) => onSourceClock(seconds) - plan.zeroSeconds + plan.endZeroSeconds
  const lastPlayed = made.originSeconds + made.durationSeconds
  const presented = { start: onSourceClock(firstPlayed), end: fromTheEnd(lastPlayed) }
  const requested = { start: plan.requested[0]?.start ?? 0, end: plan.requested.at(-1)?.end ?? 0 }
  const length = totalDuration(plan.requested)
  const frames = (video && spans.get(video.streamIndex)?.packets) ?? 0
  return {
    requested,
    stored: {
      start: onSourceClock(Math.min(...all.map(({ storedStart }) => storedStart))),
      end: fromTheEnd(Math.max(...all.map(({ storedEnd }) => storedEnd))),
    },
    presented,
    ranges: plan.ranges ?? [{ requested, presented, atSeconds: 0 }],
    driftSeconds: onSourceClock(lastPlayed) - presented.start - length,
    mode: plan.mode,
    fallbackReason: null,
    ...countFrames(plan, frames),
    plannedFrames: plan.plannedFrames,
    missingFrames: countMissing(plan, frames),
    decodeErrors: clip.decodeErrors,
    remarks: clip.remarks,
    jointSteps: clip.jointSteps,
    pieces: clip.pieces,
    leftOut: plan.leftOut,
    audioVideoOffsetSeconds: audio && video ? audio.endSeconds - video.endSeconds : null,
    hasVariableFrameRate: tracks.video?.hasVariableFrameRate ?? false,
    videoCodec: video?.codec ?? null,
    audioCodec: audio?.codec ?? null,
    loudness: clip.loudness,
    picture: plan.picture,
    captions: plan.captions,
    ...changesOf(tracks, plan, made),
  }
}

function changesOf(tracks: Tracks, plan: ClipPlan, made: Tracks) {
  const pictureLosses = plan.video && made.video ? lossesOfPicture(plan.video, made.video) : []
  const marks = droppedMarks(tracks, made)
  return {
    substitutions: [
      ...(plan.video && made.video ? videoChanges(plan, plan.video, made.video) : []),
      ...pictureLosses,
      ...plan.audio.flatMap((track, index) => audioChanges(track, made.audio[index])),
    ],
    droppedStreams: [...droppedStreams(tracks, plan), ...marks],
    losses: [...pictureLosses, ...tracks.others, ...marks],
  }
}

function primingSeconds({ input, audio: [audio] }: Tracks): number {
  return input.format === 'aac' ? aacPrimingSamples / (audio?.sampleRate ?? 1) : 0
}

function countFrames({ mode, framesCopied }: ClipPlan, frames: number) {
  const copied = mode === 'copy' ? frames : framesCopied
  return { framesEncoded: frames - copied, framesCopied: copied }
}

/** Some of their packets are pictures that are never shown, because others refer to them. */
const codecsWithHiddenFrames: readonly (string | undefined)[] = ['vp8', 'vp9']

function countMissing({ video, plannedFrames }: ClipPlan, frames: number): number {
  return codecsWithHiddenFrames.includes(video?.codec) ? 0 : Math.max(0, plannedFrames - frames)
}

function videoChanges({ picture }: ClipPlan, source: SourceVideo, made: SourceVideo): string[] {
  return [
    ...changed('video codec', source.codec, made.codec),
    ...(picture ? enlarged(picture, source) : changed('video size', sizeOf(source), sizeOf(made))),
    ...changed('pixel format', source.pixelFormat ?? 'unknown', made.pixelFormat ?? 'unknown'),
    ...changed('fields', fieldsOf(source), fieldsOf(made)),
  ]
}

function lossesOfPicture(source: SourceVideo, made: SourceVideo): string[] {
  const { shapes = [] } = source
  return [
    ...(shapes.length > 1 ? [`video sizes ${shapes.join(', ')} -> ${sizeOf(made)}`] : []),
    ...(source.alpha && !made.alpha ? ['transparency -> black'] : []),
    ...changed('dynamic range', dynamicRangeOf(source.colour), dynamicRangeOf(made.colour)),
  ]
}

function sizeOf({ width, height }: Size): string {
  return `${width}x${height}`
}

function enlarged({ fit, part, ...made }: ClipPicture, { shown }: SourceVideo): string[] {
  const from = fit === 'pad' || fit === 'blur' ? shown : part
  const scale = Math.min(made.width / from.width, made.height / from.height)
  return scale > sameSize ? [`picture enlarged ${scale.toFixed(1)} times`] : []
}

/** Sides are rounded to even numbers. */
const sameSize = 1.02

function fieldsOf({ firstField }: SourceVideo): string {
  return firstField ? `${firstField} first` : 'progressive'
}

function audioChanges(source: SourceAudio, made: SourceAudio | undefined): string[] {
  if (!made) return []
  return [
    ...changed('audio codec', source.codec, made.codec),
    ...changed('sample rate', `${source.sampleRate} Hz`, `${made.sampleRate} Hz`),
    ...changed('audio channels', String(source.channels), String(made.channels)),
  ]
}

function changed(what: string, from: string, to: string): string[] {
  return from === to ? [] : [`${what} ${from} -> ${to}`]
}

function droppedMarks(source: Tracks, made: Tracks): string[] {
  return [
    ...(source.chapters > 0 && made.chapters === 0 ? [`chapters (${source.chapters})`] : []),
    ...(source.start.timecode && !made.start.timecode ? ['timecode'] : []),
  ]
}

function droppedStreams({ audio, video, others, attachments }: Tracks, plan: ClipPlan): string[] {
  const droppedAudio = audio.flatMap((track, index) =>
    plan.audio.includes(track) ? [] : [`audio track ${index} (${track.codec})`],
  )
  return [...(video && !plan.video ? [`video (${video.codec})`] : []), ...droppedAudio, ...others, ...attachments]
}

export interface Clip {
  readonly durationSeconds: number
  readonly width: number | null
  readonly height: number | null
  readonly receipt: ClipReceipt
  /** Written next to the clip; null without video. */
  readonly poster: Poster | null
}

interface FinishedClipInput extends MadeSound {
  /** Of the source. */
  readonly tracks: Tracks
  readonly plan: ClipPlan
  /** That was asked for. Null: the clip is not measured. */
  readonly loudnessLufs: number | null
  /** Made by then; null if no frame could be decoded. The clip's own middle if omitted. */
  readonly poster?: Poster | null
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

/** Reads a finished file for its receipt, and makes its poster. Throws `processing_failed` if too few frames were written. */
export async function readFinishedClip(
  input: FfmpegInput,
  {
    tracks,
    plan,
    decodeErrors,
    remarks,
    jointSteps,
    pieces,
    loudnessLufs,
    ffmpeg,
    signal,
    ...given
  }: FinishedClipInput,
): Promise<Clip> {
  const lengthSeconds = totalDuration(plan.requested)
  const { tracks: made, readSpans } = await readFinishedFile({ input, ffmpeg, signal }, lengthSeconds)
  if (plan.video && !made.video) throw new ServiceError('processing_failed')
  assertSoundLength(plan, made, lengthSeconds)
  // Simultaneously, as neither uses all cores.
  const [poster, { spans, loudness }] = await runBothOrAbort(
    signal,
    async (either) => {
      if (given.poster !== undefined || !made.video) return given.poster ?? null
      return makePoster({ media: input, ...posterOf(input, made, made.video), ffmpeg, signal: either })
    },
    async (either) => ({
      spans: await readSpans(either),
      loudness: loudnessLufs === null ? null : await loudnessOf(input, made, loudnessLufs, { ffmpeg, signal: either }),
    }),
  )
  const clip = { tracks: made, spans, decodeErrors, remarks, jointSteps, pieces, loudness }
  const receipt = clipReceipt(tracks, plan, clip)
  // Packets can be fields.
  if (receipt.framesEncoded + receipt.framesCopied < Math.floor(plan.plannedFrames / 2))
    throw new ServiceError('processing_failed')
  return {
    durationSeconds: durationOf(receipt.presented) + plan.zeroSeconds - plan.endZeroSeconds,
    width: made.video?.width ?? null,
    height: made.video?.height ?? null,
    receipt,
    poster,
  }
}

/** Of priming and padding: the codecs of clips have at most 1,152 samples in a frame. */
const paddingSamples = 3 * 1_152

/** Sound that is longer than its clip is not where it belongs. Copied packets can begin before their range. */
function assertSoundLength({ mode, video }: ClipPlan, { audio }: Tracks, lengthSeconds: number): void {
  if (mode === 'copy') return
  const frameSeconds = 1 / (video?.frameRate || 25)
  const displaced = audio.find(
    ({ endSeconds, sampleRate }) => endSeconds > lengthSeconds + frameSeconds + paddingSamples / sampleRate,
  )
  if (displaced)
    throw new ServiceError(
      'processing_failed',
      'The sound of the clip would not be in its place: the times of the media are damaged. Convert the media, or choose another window.',
    )
}

async function loudnessOf(
  input: FfmpegInput,
  { audio }: Tracks,
  requestedLufs: number,
  tools: Pick<FinishedClipInput, 'ffmpeg' | 'signal'>,
): Promise<ClipLoudness> {
  const tracks: Loudness[] = []
  for (const { streamIndex, endSeconds } of audio) {
    const run = { input, ...tools, deadlineSeconds: encodingDeadline(endSeconds, null) }
    const outputOptions = meterOptions(`0:${streamIndex}`, [])
    tracks.push(await measureLoudness(({ output }) => tools.ffmpeg.run({ ...run, outputOptions, output })))
  }
  return { requestedLufs, tracks }
}

/** The poster shows the middle of the video, because the audio can be longer than the video. */
function posterOf({ path: file }: FfmpegInput, { durationSeconds }: Tracks, video: SourceVideo) {
  return { video, atSeconds: Math.min(durationSeconds, video.endSeconds) / 2, outputPath: posterBeside(file) }
}

/** The path of the poster of the clip with this path. */
export function posterBeside(file: string): string {
  const { dir, name } = path.parse(file)
  return path.join(dir, `${name}.jpg`)
}
