import { createColumn, lowerBound, makeNumbers, sortNumbers } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import { type FrameGrid, frameToleranceSeconds, type PlacedRange, type TickClock } from '../../core/snap-ranges.ts'
import type { ClipTracks } from '../clip/clip-marks.ts'
import type { ClipPlan } from '../clip/clip-receipt.ts'
import { cutAudioPieces, describeCut } from '../clip/cut.ts'
import { joinAudioPieces, readJoinPlan } from '../clip/join.ts'
import { clockOf, describeJoin, gridOf } from '../clip/join-plan.ts'
import { leadOf } from '../clip/lead-budget.ts'
import { placeWindow, readCutPlan } from '../clip/read-cut-plan.ts'
import { tickOf } from '../clip/track-arguments.ts'
import { singlePiece, type VideoPiece } from '../clip/video-pieces.ts'
import { type FrameTimes, framesWithin } from '../inspect/frame-window.ts'
import { assertFrameRate, reorderSeconds } from '../inspect/packets.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { Piece } from '../obtain-piece.ts'
import { accessPointsOf, type CodedPackets, delayTicksOf, readCodedPackets } from './coded-packets.ts'
import { assertCopyable, shownFrom } from './copy-plan.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import { readingOptions } from './copy-span.ts'
import type { ModeInput } from './make-clip.ts'
import { type SmartCodec, smartCodecs } from './smart-codecs.ts'
import { readFrameHashes } from './verify-smart.ts'

/** Everything that decides a smart clip. */
export interface SmartPlan {
  readonly video: SourceVideo
  readonly codec: SmartCodec
  readonly clock: TickClock
  readonly grid: AccessGrid
  /** Between decoding a frame and showing it. */
  readonly delayTicks: number
  /** Of the source, in and around the ranges. */
  readonly packets: CodedPackets
  readonly ranges: readonly PlacedRange[]
  readonly pieces: readonly MixedPiece[]
  readonly audio: readonly Piece[]
  readonly tracks: ClipTracks
  /** Decoded before a single range. A clip of several is decoded once from its first to its last. */
  readonly leadSeconds: number
  readonly describe: ClipPlan
}

/** Copying less than this share of the frames is not worth its checks. */
const minCopiedShare = 0.1

/** Reads the packets in and around the ranges. Throws `CopyRefusal` if packets of the picture cannot be copied beside encoded frames. */
export async function readRangePackets(input: ModeInput): Promise<CodedPackets> {
  const { tracks, ffmpeg, signal } = input
  const { video } = copyableVideo(input)
  const clock = clockOf(tracks, { video, audio: [] })
  const interval = {
    ...packetInterval(input, clock),
    trackEnd: video.endSeconds + clock.originSeconds,
    shownFrom: shownFrom(tracks, { video }),
  }
  return readCodedPackets({ input: tracks.input, ffmpeg, signal, streamIndex: video.streamIndex, interval })
}

/** On the container's clock. */
function packetInterval({ ranges }: ModeInput, { originSeconds, secondsPerTick }: TickClock) {
  const [start, end] = [ranges[0]?.start ?? 0, ranges.at(-1)?.end ?? 0]
  return { start: start + originSeconds, end: end + originSeconds, secondsPerTick }
}

/** Plans which of the packets are copied. Throws `CopyRefusal` if none can be, and `ExceededLimit` if the ranges show too many frames. */
export async function planSmart(input: ModeInput, packets: CodedPackets): Promise<SmartPlan> {
  const { tracks, ranges } = input
  const [window, second] = ranges
  const { video, codec } = copyableVideo(input)
  const clock = clockOf(tracks, { video, audio: [] })
  refuseUnless(packets.pts.length > 0, 'the window shows no frame')
  const onMediaClock = (tick: number) => tick * clock.secondsPerTick - tracks.originSeconds
  const times = await makeNumbers(packets.pts.length, (index) => onMediaClock(packets.pts[index] ?? 0))
  const frames = { starts: await sortNumbers(times), endSeconds: onMediaClock(packets.endTick) }
  const placed = await placeRanges(input, video, frames)
  assertFrameRate(placed.describe.plannedFrames, ranges)
  const accessTicks = await readAccessTicks(input, { video, codec }, clock, packetInterval(input, clock))
  const grid: AccessGrid = {
    ...placed.grid,
    frameTicks: (await gridOf(frames, clock)).frameTicks,
    accessPoints: await accessPointsOf(packets, accessTicks),
    toleranceTicks: Math.floor(frameToleranceSeconds / clock.secondsPerTick),
    hasEnd: true,
  }
  const stretches = divideAtAccessPoints(placed.ranges, grid)
  const framesCopied = countCopied(stretches)
  refuseUnless(framesCopied > 0, 'no whole group of pictures lies in the window')
  refuseUnless(
    framesCopied >= placed.describe.plannedFrames * minCopiedShare,
    'too few whole groups of pictures lie in the window',
  )
  return {
    ...{ video, codec, clock, grid, packets },
    delayTicks: await delayTicksOf(packets, grid.accessPoints, stretches),
    ranges: placed.ranges,
    pieces: piecesOfStretches(stretches, grid),
    audio: placed.audio,
    leadSeconds: window && !second ? leadOf(window, frames) : 0,
    tracks: { video, audio: placed.describe.audio },
    describe: { ...placed.describe, mode: 'smart', framesCopied },
  }
}

function countCopied(stretches: readonly PlannedStretch[]): number {
  return stretches.reduce((sum, stretch) => sum + ('fromTick' in stretch ? stretch.range.frames : 0), 0)
}

/** The pixel formats that stretches are encoded in. */
const encodedFormats: readonly string[] = ['yuv420p', 'yuv420p10le']

/** The picture, if its packets and encoded frames can be in one track. */
function copyableVideo({ tracks: { video }, format, audioOnly }: ModeInput): CopyableVideo {
  refuseUnless(video !== null && !audioOnly, 'there is no picture to copy')
  const codec = smartCodecs.get(video.codec)
  refuseUnless(codec !== undefined, `smart copies H.264 and HEVC only, and the picture is ${video.codec}`)
  assertCopyable({ video, audio: [] }, format)
  refuseUnless(video.alpha === null, 'the picture is transparent')
  refuseUnless(tickOf(video) === video.timeBase, 'the times of the picture are too fine')
  refuseUnless(
    encodedFormats.includes(video.pixelFormat?.replace('yuvj', 'yuv') ?? ''),
    `the encoder has no profile for ${video.pixelFormat ?? 'its pixel format'}`,
  )
  return { video, codec }
}

interface CopyableVideo {
  readonly video: SourceVideo
  readonly codec: SmartCodec
}

interface Placed {
  readonly ranges: readonly PlacedRange[]
  readonly grid: FrameGrid
  readonly audio: readonly Piece[]
  readonly describe: ClipPlan
}

/** Where the ranges are in the clip: as when they are encoded. */
async function placeRanges(input: ModeInput, video: SourceVideo, frames: FrameTimes): Promise<Placed> {
  const { tracks, ranges } = input
  const [window, second] = ranges
  const whole = { ...input, store: undefined, pieceSeconds: Number.POSITIVE_INFINITY, frames }
  if (!window) throw new CopyRefusal('there is no range')
  if (second) {
    const plan = await readJoinPlan(whole)
    refuseUnless(plan.video !== null, 'the window shows no frame')
    refuseUnless(!plan.video.isInterlaced, interlaced)
    const grid = await gridOf(frames, plan.clock)
    return { ranges: plan.ranges, grid, audio: joinAudioPieces(input, plan), describe: describeJoin(plan) }
  }
  const plan = await readCutPlan({ ...whole, window })
  const shown = framesWithin(frames, window)
  refuseUnless(plan.video !== null && shown !== undefined, 'the window shows no frame')
  refuseUnless(!plan.video.track.isInterlaced, interlaced)
  const { range, grid } = await placeWindow({ tracks, window, video, zeroSeconds: plan.zeroSeconds }, shown, frames)
  return { ranges: [range], grid, audio: cutAudioPieces(input, plan), describe: describeCut(plan) }
}

/** As its pictures show, because containers can state otherwise. */
const interlaced = 'the picture is interlaced'

/** The presentation times of keyframes in and around the interval at which decoding can start. */
async function readAccessTicks(
  { tracks, ffmpeg, signal }: ModeInput,
  { video, codec }: CopyableVideo,
  clock: TickClock,
  { start, end }: Segment,
): Promise<Float64Array> {
  const span = {
    fromTick: (start - reorderSeconds) / clock.secondsPerTick,
    toTick: (end + reorderSeconds) / clock.secondsPerTick,
  }
  const ticks = createColumn()
  const run = {
    ...{ input: tracks.input, signal, deadlineSeconds: 600 },
    cores: 1 as const,
    inputOptions: readingOptions(clock, span),
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-c', 'copy'],
      ...['-bsf:v', `noise=drop='not(key)',filter_units=pass_types=${codec.accessUnits}`],
    ],
  }
  await readFrameHashes(ffmpeg, run, ({ pts }) => ticks.push(pts))
  return ticks.values()
}

/** Part of a range whose frames are copied: from one access point until before another, or until the end of the picture. */
export interface CopiedStretch {
  readonly range: PlacedRange
  /** Ticks of the source: presentation times in this interval are those of its packets. */
  readonly fromTick: number
  readonly toTick: number
}

interface EncodedStretch {
  readonly range: PlacedRange
}

export type PlannedStretch = CopiedStretch | EncodedStretch

/** Pictures at which decoding can start, where frames of different encoders can meet. Both lists ascend. */
export interface AccessPoints {
  readonly ticks: ArrayLike<number>
  /** The earliest time of the frames of each: pictures that are decoded after it can be shown before it, and refer to earlier ones. */
  readonly leadingTicks: ArrayLike<number>
}

interface AccessGrid extends FrameGrid {
  readonly accessPoints: AccessPoints
  /** A frame that starts so shortly before a range counts as in it. */
  readonly toleranceTicks: number
  /** Whether the grid has the last frame of the picture. */
  readonly hasEnd: boolean
}

/** Divides each range at its first and its last access point. What lies between them is copied, without the leading pictures of both. */
export function divideAtAccessPoints(ranges: readonly PlacedRange[], grid: AccessGrid): PlannedStretch[] {
  return ranges.flatMap((range) => divideRange(range, grid))
}

function divideRange(range: PlacedRange, grid: AccessGrid): PlannedStretch[] {
  const { frameTicks, toleranceTicks, accessPoints } = grid
  const { startTick, endTick, atTick, frames, firstFrameTick } = range
  const index = (tick: number) => lowerBound(frameTicks, (frame) => frame < tick)
  const lastIndex = index(endTick - toleranceTicks)
  const { ticks, leadingTicks } = accessPoints
  const from = ticks[lowerBound(ticks, (tick) => tick < startTick - toleranceTicks)]
  const reachesEnd = grid.hasEnd && lastIndex === frameTicks.length
  const to = reachesEnd ? endTick : leadingTicks[lowerBound(leadingTicks, (tick) => tick <= endTick) - 1]
  if (from === undefined || to === undefined || to <= from || firstFrameTick === undefined) return [{ range }]
  const copied = Math.min(index(to), lastIndex) - index(from)
  const after = Math.max(0, lastIndex - index(to))
  const before = frames - copied - after
  if (copied <= 0) return [{ range }]
  const copyStart = before > 0 ? from : startTick
  const copyEnd = after > 0 ? to : endTick
  const place = (start: number, end: number) => ({
    ...range,
    ...{ startTick: start, endTick: end, atTick: atTick + start - startTick },
  })
  return [
    ...(before > 0 ? [{ range: { ...place(startTick, from), frames: before } }] : []),
    {
      range: { ...place(copyStart, copyEnd), firstFrameTick: from, frames: copied },
      fromTick: from,
      toTick: reachesEnd ? Math.max(endTick, grid.endTick) : to,
    },
    ...(after > 0 ? [{ range: { ...place(to, endTick), firstFrameTick: to, frames: after } }] : []),
  ]
}

/** A piece of the clip's video: encoded, or copied. */
export type MixedPiece = { readonly encoded: VideoPiece } | { readonly copied: CopiedStretch }

/** One ffmpeg encodes neighbouring stretches if it decodes at most this much between them, or would start in front of the first again. */
const maxDecodedGapSeconds = 2

/** Groups the stretches into pieces. Throws `CopyRefusal` if one has no frame. */
export function piecesOfStretches(stretches: readonly PlannedStretch[], grid: AccessGrid): MixedPiece[] {
  const groups: (CopiedStretch | PlacedRange[])[] = []
  for (const stretch of stretches) {
    const group = groups.at(-1)
    if ('fromTick' in stretch) groups.push(stretch)
    else if (Array.isArray(group) && isNear(group.at(-1), stretch.range, grid)) group.push(stretch.range)
    else groups.push([stretch.range])
  }
  return groups.map((group) => {
    if (!Array.isArray(group)) return { copied: group }
    if (group.every(({ frames }) => frames === 0)) throw new CopyRefusal('a range between keyframes shows no frame')
    return { encoded: singlePiece(group, grid) }
  })
}

function isNear(before: PlacedRange | undefined, { startTick }: PlacedRange, grid: AccessGrid): boolean {
  if (!before) return false
  const { accessPoints, secondsPerTick, toleranceTicks } = grid
  const { ticks } = accessPoints
  const next = ticks[lowerBound(ticks, (tick) => tick < before.endTick)] ?? Number.POSITIVE_INFINITY
  return (startTick - before.endTick) * secondsPerTick <= maxDecodedGapSeconds || next > startTick + toleranceTicks
}
