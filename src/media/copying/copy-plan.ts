import { runBothOrAbort } from '../../core/abortable.ts'
import type { ClipFormat } from '../../core/media.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { frameToleranceSeconds, type TickClock } from '../../core/snap-ranges.ts'
import { clipCaptions } from '../clip/burn-captions.ts'
import { type ClipTracks, chooseClipTracks } from '../clip/clip-marks.ts'
import type { ClipPlan, ReceiptRange } from '../clip/clip-receipt.ts'
import { hasBoxes } from '../inspect/mp4-boxes.ts'
import { createFrameCounter, readPackets, reorderSeconds } from '../inspect/packets.ts'
import { ratio } from '../inspect/video-track.ts'
import { cutsOut, readCodedPackets } from './coded-packets.ts'
import { type CopySpan, copyBounds, copyEdgesOf, mergeSpans, refuseLongLead } from './copy-bounds.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import type { TickSpan } from './smart-codecs.ts'

/** What is copied, counted in ticks of its leading track: the picture, or the first audio track. */
export interface CopyPlan {
  readonly tracks: ClipTracks
  readonly clock: TickClock
  readonly spans: readonly CopySpan[]
}

/**
 * Packets that decoders need before the first whose sound is right: packets overlap, those of MP3 take bits from up to 511 bytes before,
 * and Opus converges within 80 ms (RFC 7845, 4.6).
 */
const packetsBeforeSound: ReadonlyMap<string, number> = new Map([
  ...['aac', 'ac3', 'eac3', 'vorbis'].map((codec) => [codec, 1] as const),
  ...['mp3', 'opus'].map((codec) => [codec, 4] as const),
])

/** Frames of lectures and of screens can last for minutes. */
const longPictureSeconds = 1

/** Plans the spans of packets from the keyframe at or before each range. Throws `CopyRefusal` if the container cannot hold them. */
export async function planCopy(input: ModeInput): Promise<CopyPlan> {
  const { tracks, ranges, format, audioOnly, signal } = input
  const window = { start: ranges[0]?.start ?? 0, end: ranges.at(-1)?.end ?? 0 }
  const chosen = chooseClipTracks(tracks, { window, format, audioOnly })
  const lead = chosen.video ?? chosen.audio[0]
  if (!lead) throw new CopyRefusal('the window shows nothing')
  assertCopyable(chosen, format)
  // Of a single range, only its edges are read, and what the media cuts out between them is looked for first.
  if (ranges.length === 1) await refuseEdits(input, chosen, window)
  const clock = { originSeconds: tracks.originSeconds, secondsPerTick: ratio(lead.timeBase) }
  const toTick = (seconds: number) => Math.round((seconds + clock.originSeconds) / clock.secondsPerTick)
  const toleranceTicks = Math.floor(frameToleranceSeconds / clock.secondsPerTick)
  const read = async (start: number, end: number, signal: AbortSignal) =>
    copyEdgesOf(
      await readCodedPackets({
        ...{ input: tracks.input, ffmpeg: input.ffmpeg, signal, streamIndex: lead.streamIndex },
        interval: {
          start: start + clock.originSeconds,
          end: end + clock.originSeconds,
          secondsPerTick: clock.secondsPerTick,
          trackEnd: lead.endSeconds + clock.originSeconds,
          shownFrom: shownFrom(tracks, chosen),
        },
      }),
    )
  const whole = ranges.length > 1 ? await read(window.start, window.end, signal) : undefined
  const spans: CopySpan[] = []
  for (const { start, end } of ranges) {
    const [aroundStart, aroundEnd] = whole
      ? [whole, whole]
      : await runBothOrAbort(
          signal,
          (either) => read(start, start, either),
          (either) => read(end, end, either),
        )
    const requested = { fromTick: toTick(start), toTick: toTick(end) }
    const span = copyBounds(requested, aroundStart, aroundEnd, {
      ...{ toleranceTicks, longTicks: longPictureSeconds / clock.secondsPerTick },
      packetsBefore: packetsBeforeSound.get(lead.codec),
    })
    refuseLongLead(span, clock.secondsPerTick)
    spans.push(span)
  }
  const merged = mergeSpans(spans)
  const hidesStart = merged[0] !== undefined && segmentOf(merged[0], clock).start < -frameToleranceSeconds
  refuseUnless(!hidesStart || hasBoxes(format), `${format} cannot hide the start that the media hides`)
  return { tracks: chosen, clock, spans: merged }
}

/**
 * From when on the container's clock all packets of the picture must be shown: an edit list of MP4 can put parts of it in any order. What
 * it hides before the start, an edit list of the copy hides too. Undefined where no packet can be cut out.
 */
export function shownFrom(
  { input, originSeconds }: ModeInput['tracks'],
  { video }: Pick<ClipTracks, 'video'>,
): number | undefined {
  return video && hasBoxes(input.format) ? originSeconds : undefined
}

/** Throws `CopyRefusal` if the media cuts packets out between others. */
async function refuseEdits({ tracks, ffmpeg, signal }: ModeInput, { video }: ClipTracks, window: Segment) {
  const from = shownFrom(tracks, { video })
  if (!video || from === undefined) return
  const { input, originSeconds } = tracks
  const interval = { start: window.start + originSeconds, end: window.end + originSeconds }
  const countFrame = createFrameCounter(interval.end + reorderSeconds)
  await readPackets({ input, ffmpeg, signal, streamIndex: video.streamIndex, interval }, ({ pts, isHidden }) => {
    if (!isHidden) countFrame(pts)
    refuseUnless(!isHidden || pts < from, cutsOut)
  })
}

/** Seconds on the media's clock. */
export function segmentOf({ fromTick, toTick }: TickSpan, { secondsPerTick, originSeconds }: TickClock): Segment {
  return { start: fromTick * secondsPerTick - originSeconds, end: toTick * secondsPerTick - originSeconds }
}

/** What the clip shows of each span. */
export function placedSpans({ clock, spans }: Pick<CopyPlan, 'clock' | 'spans'>): ReceiptRange[] {
  let atSeconds = 0
  return spans.map((span): ReceiptRange => {
    const { start, end } = segmentOf(span, clock)
    const presented = { start: Math.max(0, start), end }
    const range = { requested: segmentOf(span.requested, clock), presented, atSeconds }
    atSeconds += durationOf(range.presented)
    return range
  })
}

/** The part of the plan that the receipt needs. */
export function describeCopy(input: ModeInput, plan: CopyPlan): ClipPlan {
  const { tracks } = plan
  const placed = placedSpans(plan)
  const last = placed.at(-1)
  return {
    ...tracks,
    picture: null,
    captions: clipCaptions(input, placed),
    requested: input.ranges,
    leftOut: [],
    zeroSeconds: placed[0]?.presented.start ?? 0,
    endZeroSeconds: last ? last.presented.start - last.atSeconds : 0,
    plannedFrames: 0,
    mode: 'copy',
    framesCopied: 0,
    ...(placed.length > 1 ? { ranges: placed } : {}),
  }
}

interface Codecs {
  readonly video: RegExp
  readonly audio: RegExp
}

const none = /^$/
const mp4: Codecs = { video: /^(h264|hevc|av1|vp9|mpeg4)$/, audio: /^(aac|mp3|opus|ac3|eac3|flac|alac)$/ }

/** The codecs that are copied into each container: those that players expect in it. */
const codecsIn: Readonly<Record<ClipFormat, Codecs>> = {
  mp4,
  mov: { video: /^(h264|hevc|mpeg4|prores|dnxhd|mjpeg)$/, audio: /^(aac|mp3|ac3|alac|pcm_\w+)$/ },
  // ffmpeg writes no HEVC with the brand of M4V.
  m4v: { video: /^(h264|mpeg4)$/, audio: /^(aac|ac3|alac)$/ },
  webm: { video: /^(vp8|vp9|av1)$/, audio: /^(opus|vorbis)$/ },
  m4a: { video: none, audio: /^(aac|alac)$/ },
  mp3: { video: none, audio: /^mp3$/ },
  ogg: { video: none, audio: /^(opus|vorbis)$/ },
  opus: { video: none, audio: /^opus$/ },
  // Encoded without loss, and exact to the sample.
  wav: { video: none, audio: none },
  aiff: { video: none, audio: none },
  flac: { video: none, audio: none },
  // Its packets have no times.
  aac: { video: none, audio: none },
}

/** Throws `CopyRefusal` if the packets of a track are not copied into the clip's container. */
export function assertCopyable({ video, audio }: ClipTracks, format: ClipFormat): void {
  const codecs = codecsIn[format]
  refuseUnless(!video || codecs.video.test(video.codec), `${video?.codec} is not copied into ${format}`)
  for (const { codec } of audio) refuseUnless(codecs.audio.test(codec), `${codec} is not copied into ${format}`)
}
