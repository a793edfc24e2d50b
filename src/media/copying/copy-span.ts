import type { TickClock } from '../../core/snap-ranges.ts'
import type { ClipInput, ClipMarks } from '../clip/clip-marks.ts'
import { pieceMuxer } from '../clip/join-arguments.ts'
import { nothingKept } from '../clip/picture-filters.ts'
import { maxFramesOf } from '../inspect/packets.ts'
import type { Tracks } from '../inspect/tracks.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import { type Piece, pieceName } from '../obtain-piece.ts'
import type { CopySpan } from './copy-bounds.ts'
import { type CopyPlan, segmentOf } from './copy-plan.ts'
import { refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import { tooManySets, unitsIn } from './nal-units.ts'
import { type ParameterSets, type SmartCodec, smartCodecs } from './smart-codecs.ts'
import type { CopiedStretch, SmartPlan } from './smart-plan.ts'

interface CopiedFile {
  readonly muxer: readonly string[]
  readonly output: string
  readonly marks: ClipMarks
}

/** Copies a span into a file in which it starts at 0. */
export async function copySpan(
  { tracks: { input }, ffmpeg, signal }: ModeInput,
  { tracks: { video, audio }, clock, spans }: CopyPlan,
  span: CopySpan,
  { muxer, output, marks }: CopiedFile,
): Promise<void> {
  const { fromTick, toTick } = span
  const [from, to] = [fromTick * clock.secondsPerTick, toTick * clock.secondsPerTick]
  // What the source hides before its start gets times before 0, which the muxer hides too.
  const zeroTick = Math.max(fromTick, Math.min(toTick, Math.round(clock.originSeconds / clock.secondsPerTick)))
  const zero = zeroTick * clock.secondsPerTick
  // One more than the clip may have, so that it is refused. With `-frames`, ffmpeg would end the sound where the picture pauses or ends.
  const most = maxFramesOf(spans.map((each) => segmentOf(each, clock))) + 1
  const leading = `${onlyPackets(span)}${video ? `,noise=drop='gte(n,${most})'` : ''},setts=pts=PTS-${zeroTick}:dts=DTS-${zeroTick}${lastDurations(span)}`
  // Of other tracks, the packets that start within.
  const other = `noise=drop='lt(pts*tb,${from})+gte(pts*tb,${to})',setts=pts=PTS-round(${zero}/TB):dts=DTS-round(${zero}/TB)`
  await ffmpeg.run({
    ...{ input, moreInputs: marks.inputs, signal, deadlineSeconds: copyingDeadline(to - from), output },
    cores: 1,
    inputOptions: readingOptions(clock, span),
    outputOptions: [
      ...[...(video ? [video] : []), ...audio].flatMap(({ streamIndex }) => ['-map', `0:${streamIndex}`]),
      ...['-c', 'copy'],
      ...(smartCodecs.get(video?.codec ?? '')?.muxer ?? []),
      ...(video ? ['-bsf:v', leading] : []),
      ...audio.flatMap((_, index) => [`-bsf:a:${index}`, video || index > 0 ? other : leading]),
      ...muxer,
      ...marks.options,
    ],
  })
}

/**
 * Makes the track as long as its span. MP4 stores how long it takes until the next packet is decoded, which differs from how long a
 * packet is shown. Players take the end of the last packet that is shown for the track's, or the end of the last that is decoded.
 */
function lastDurations({ toTick, last }: CopySpan): string {
  if (!last) return ''
  const { shownTick, decodedTick, isFollowed } = last
  const lasting = (ticks: string) => (isFollowed ? ticks : `min(DURATION,${ticks})`)
  const [decoded, shown] = [lasting(`max(1,${toTick}-STARTPTS-DTS+STARTDTS)`), lasting(String(toTick - shownTick))]
  return `:duration='if(eq(PTS,${decodedTick}),${decoded},if(eq(PTS,${shownTick}),${shown},DURATION))'`
}

/** How much earlier than its first packet a copy starts to read. The seek then ends at a keyframe before that packet, or at it. */
const leadSeconds = 0.05
/** Reading stops this long after the last packet, by decoding times, which come before presentation times. */
const trailSeconds = 1

/** Seconds that copying may take, for reading and writing at a slow disk's speed. */
export function copyingDeadline(seconds: number): number {
  return 120 + seconds
}

/** Where to read for packets with these presentation times. A seek would skip the sound from before a picture that starts late. */
export function readingOptions(
  { originSeconds, secondsPerTick }: TickClock,
  { fromTick, toTick, startsLate }: Pick<CopySpan, 'fromTick' | 'toTick' | 'startsLate'>,
): string[] {
  const start = startsLate ? 0 : Math.max(0, fromTick * secondsPerTick - originSeconds - leadSeconds)
  const length = toTick * secondsPerTick - originSeconds - start + trailSeconds
  const seek = startsLate ? [] : ['-ss', start.toFixed(6)]
  return ['-copyts', '-noaccurate_seek', ...seek, '-t', length.toFixed(6)]
}

/** Drops all packets but those with these presentation times. */
function onlyPackets({ fromTick, toTick }: Pick<CopiedStretch, 'fromTick' | 'toTick'>): string {
  return `noise=drop='lt(pts,${fromTick})+gte(pts,${toTick})'`
}

/** What copied stretches share. */
interface Copying {
  readonly video: SourceVideo
  readonly codec: Pick<SmartCodec, 'muxer'>
  readonly clock: TickClock
  readonly delayTicks: number
}

/** Copies the packets of a stretch into an MP4 without audio, in which the stretch starts at 0. */
export function copiedPiece(
  { tracks, ffmpeg }: Pick<ClipInput, 'ffmpeg'> & { readonly tracks: Tracks },
  { video, codec, clock, delayTicks }: Copying,
  stretch: CopiedStretch,
): Piece {
  const { startTick, endTick } = stretch.range
  // Without the leading pictures between it and the next, the first packet is decoded later, after all encoded frames before it.
  const dts = `if(eq(PTS,${stretch.fromTick}),max(DTS,PTS-${delayTicks}),DTS)-${startTick}`
  // The last frame of a source can last for minutes.
  const duration = `max(1,min(DURATION,${endTick}-PTS))`
  const seconds = (endTick - startTick) * clock.secondsPerTick
  const outputOptions = [
    ...['-map', `0:${video.streamIndex}`, '-c', 'copy'],
    ...['-bsf:v', `${onlyPackets(stretch)},setts=pts='max(0,PTS-${startTick})':dts='${dts}':duration='${duration}'`],
    ...[...codec.muxer, ...pieceMuxer(video, nothingKept)],
  ]
  const decidedBy = [tracks.originSeconds, tracks.durationSeconds, outputOptions]
  return {
    fileName: pieceName('video', decidedBy, 'mp4'),
    seconds,
    make: async (output, signal, onProgress) => {
      await ffmpeg.run({
        ...{ input: tracks.input, signal, deadlineSeconds: copyingDeadline(seconds), output },
        cores: 1,
        inputOptions: readingOptions(clock, stretch),
        outputOptions,
      })
      onProgress(seconds)
      return 0
    },
  }
}

/** An hour with both sets at every keyframe takes 200 kB. */
const maxBytes = 8 * 2 ** 20

/**
 * Reads the parameter sets among the frames in and around the ranges. Throws `CopyRefusal` if one is not of the source's sample description:
 * where the sets change, decoding from a keyframe uses others than decoding from the start.
 */
export async function refuseChangedSets(
  { tracks, ffmpeg, signal }: ModeInput,
  { codec, video, clock, packets }: SmartPlan,
  { sets, nalLengthBytes }: ParameterSets,
): Promise<void> {
  const { pts } = packets
  const span = { fromTick: pts[0] ?? 0, toTick: (pts.at(-1) ?? 0) + 1 }
  const chunks: Buffer[] = []
  let bytes = 0
  await ffmpeg.run({
    ...{ input: tracks.input, signal, deadlineSeconds: 600, inputOptions: readingOptions(clock, span) },
    cores: 1,
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-c', 'copy'],
      ...['-bsf:v', `filter_units=pass_types=${codec.setUnits}`, '-f', 'data'],
    ],
    output: (chunk) => {
      bytes += chunk.length
      refuseUnless(bytes <= maxBytes, tooManySets)
      chunks.push(Buffer.from(chunk))
    },
  })
  const known = new Set(sets.map(contentOf))
  for (const unit of unitsIn(Buffer.concat(chunks), nalLengthBytes))
    refuseUnless(known.has(contentOf(unit)), 'the parameter sets of the picture change')
}

/** Zeros after a unit are no part of it (annex B). */
function contentOf(unit: Buffer): string {
  let end = unit.length
  while (unit[end - 1] === 0) end -= 1
  return unit.toString('latin1', 0, end)
}
