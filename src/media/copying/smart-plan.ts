import { createColumn } from '../../core/column.ts'
import { makeNumbers, sortNumbers } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import type { ClipPlan } from '../clip/clip-receipt.ts'
import type { ClipTracks } from '../clip/clip-tracks.ts'
import { cutAudioPieces, describeCut } from '../clip/cut.ts'
import { joinAudioPieces } from '../clip/join.ts'
import { clockOf, describeJoin, gridOf } from '../clip/join-plan.ts'
import { leadOf } from '../clip/lead-budget.ts'
import { placeWindow, readCutPlan } from '../clip/read-cut-plan.ts'
import { readJoinPlan } from '../clip/read-join-plan.ts'
import type { FrameGrid, PlacedRange, TickClock } from '../clip/snap-ranges.ts'
import { tickOf } from '../clip/track-arguments.ts'
import { assertFrameRate } from '../inspect/frame-density.ts'
import { type FrameTimes, framesWithin } from '../inspect/frame-window.ts'
import { frameToleranceSeconds, reorderSeconds } from '../inspect/margins.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { Piece } from '../pieces/obtain-piece.ts'
import { accessPointsOf, delayTicksOf } from './access-points.ts'
import { type CodedPackets, readCodedPackets } from './coded-packets.ts'
import { readingOptions } from './copied-piece.ts'
import { refuseEdits } from './copy-plan.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import { assertCopyable } from './copyable-codecs.ts'
import { readFrameHashes } from './frame-hashes.ts'
import type { ModeInput } from './make-clip.ts'
import { type SmartCodec, smartCodecs } from './smart-codecs.ts'
import {
  type AccessGrid,
  divideAtAccessPoints,
  type MixedPiece,
  type PlannedStretch,
  piecesOfStretches,
} from './stretches.ts'

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
  await refuseEdits(
    input,
    { video, audio: [] },
    { start: input.ranges[0]?.start ?? 0, end: input.ranges.at(-1)?.end ?? 0 },
  )
  const interval = packetInterval(input, clockOf(tracks, { video, audio: [] }))
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
  refuseUnless(!video.hasAlpha, 'the picture is transparent')
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
