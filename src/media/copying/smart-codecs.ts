import { lowerBound } from '../../core/many-numbers.ts'
import type { FrameGrid, PlacedRange, TickClock } from '../../core/snap-ranges.ts'
import { hevcTag } from '../clip/encoders.ts'
import { freeSetId, mergeAvcConfigurations, parseAvcConfiguration, writeAvcConfiguration } from './avc-configuration.ts'
import { refuseUnless } from './copy-refusal.ts'
import {
  hasFields,
  hevcDepth,
  hevcLengthBytes,
  mergeHevcConfigurations,
  parseHevcConfiguration,
  withOtherIds,
  withoutLink,
  writeHevcConfiguration,
} from './hevc-configuration.ts'
import { unitsWithLengths, withLength } from './nal-units.ts'
import { changeFirstSample, readSetsBox, rewriteSamples, type SetsBox, setsPath } from './rewrite-samples.ts'
import type { AccessPoints, CopiedStretch, MixedPiece, SmartPlan } from './smart-plan.ts'

/** What a smart cut must know of a codec, to put copied packets and encoded frames into one track. */
export interface SmartCodec {
  readonly name: 'h264' | 'hevc'
  readonly box: SetsBox
  /** Types of network abstraction layer units, for ffmpeg's filter_units: of pictures at which decoding can start, and of parameter sets. */
  readonly accessUnits: string
  readonly setUnits: string
  /** Of an MP4 file with its packets. */
  readonly muxer: readonly string[]
  readonly parse: (box: Buffer) => ParameterSets
  /** Makes the encoder continue the source whose box this is. */
  readonly encoderOptions: (source: Buffer) => readonly string[]
  /** Gives the parameter sets of an encoded piece ids of their own, if its encoder cannot. */
  readonly renumber?: (file: string) => Promise<void>
  /**
   * Makes the packets of a file decodable behind others that they do not follow in the source. Throws `CopyRefusal` if that is not
   * possible.
   */
  readonly breakLink: (file: string) => Promise<void>
  /** All parameter sets of several files, in a box. Throws `CopyRefusal` if one track cannot hold them. */
  readonly merge: (boxes: readonly Buffer[]) => Buffer
}

export interface ParameterSets {
  readonly sets: readonly Buffer[]
  /** Of the length before each unit. */
  readonly nalLengthBytes: number
}

/** x264's names of the profiles whose streams it can continue. */
const avcProfiles: Readonly<Record<number, string>> = { 66: 'baseline', 77: 'main', 100: 'high', 110: 'high10' }

/** The unit of an IDR picture (ITU-T H.264, table 7-1): no later picture refers to an earlier one. */
const idr = 5

const h264: SmartCodec = {
  name: 'h264',
  box: { entry: 'avc1', name: 'avcC' },
  accessUnits: String(idr),
  setUnits: '7|8',
  muxer: [],
  parse: (box) => {
    const { sequenceSets, pictureSets, nalLengthBytes } = parseAvcConfiguration(box)
    return { sets: [...sequenceSets, ...pictureSets], nalLengthBytes }
  },
  encoderOptions: (source) => {
    const configuration = parseAvcConfiguration(source)
    const profile = avcProfiles[configuration.profile]
    refuseUnless(profile !== undefined, 'the encoder has no matching profile for the picture')
    return ['-profile:v', profile, '-x264-params', `sps-id=${freeSetId(configuration)}`]
  },
  // Behind other pictures, those after an I picture that is no IDR are decoded with wrong references, and shown among the earlier ones.
  breakLink: async (file) => {
    const { nalLengthBytes } = parseAvcConfiguration(await readSetsBox(file, h264.box))
    await changeFirstSample(file, (sample) => {
      const types = Array.from(unitsWithLengths(sample, nalLengthBytes), ([header = 0]) => header & 31)
      refuseUnless(types.includes(idr), 'a later range starts at a keyframe that does not begin a sequence')
    })
  },
  merge: (boxes) => writeAvcConfiguration(mergeAvcConfigurations(boxes.map(parseAvcConfiguration))),
}

/** Ends a sequence (ITU-T H.265, table 7-1): a CRA picture after it is decoded as if it were the first, with other parameter sets. */
const endOfSequence = Buffer.from([0, 0, 0, 2, 36 << 1, 1])

const hevc: SmartCodec = {
  name: 'hevc',
  box: { entry: 'hvc1', name: 'hvcC' },
  // BLA, IDR and CRA pictures.
  accessUnits: '16-21',
  setUnits: '32-34',
  muxer: hevcTag,
  parse: parseHevcConfiguration,
  encoderOptions: (source) => {
    refuseUnless(!hasFields(source), 'the picture is interlaced')
    return ['-profile:v', hevcDepth(source) > 8 ? 'main10' : 'main']
  },
  renumber: (file) =>
    rewriteSamples(file, {
      sample: (sample, isLast) => {
        const units = Array.from(unitsWithLengths(sample, 4), withOtherIds)
        return Buffer.concat([...units.flatMap(withLength), ...(isLast ? [endOfSequence] : [])])
      },
      box: setsPath(hevc.box),
      contents: (box) => {
        const { sets, ...configuration } = parseHevcConfiguration(box)
        return writeHevcConfiguration({ ...configuration, sets: sets.map(withOtherIds) })
      },
    }),
  breakLink: async (file) => {
    const nalLengthBytes = hevcLengthBytes(await readSetsBox(file, hevc.box))
    await changeFirstSample(file, (sample) => {
      for (const unit of unitsWithLengths(sample, nalLengthBytes)) withoutLink(unit)
    })
  },
  merge: (boxes) => writeHevcConfiguration(mergeHevcConfigurations(boxes.map(parseHevcConfiguration))),
}

/** By ffmpeg's names. */
export const smartCodecs: ReadonlyMap<string, SmartCodec> = new Map([h264, hevc].map((codec) => [codec.name, codec]))

// What a finished smart clip must show, and where it is decoded to check that.

type CheckedPlan = Pick<SmartPlan, 'pieces' | 'grid' | 'clock'>

/** When the frames of the clip start in it, ascending. */
export function* plannedTimes({ pieces, grid, clock }: CheckedPlan): Iterable<number> {
  for (const range of pieces.flatMap(rangesOf)) {
    const { from, to } = framesOfRange(range, grid)
    for (let index = from; index < to; index++) yield timeOf(range, grid.frameTicks[index] ?? 0, clock)
  }
}

/** Places of its frames in the grid. */
function framesOfRange({ startTick, firstFrameTick = startTick, frames }: PlacedRange, { frameTicks }: FrameGrid) {
  const from = lowerBound(frameTicks, (tick) => tick < firstFrameTick)
  return { from, to: Math.min(from + frames, frameTicks.length) }
}

/** Where a frame of the source is in the clip, in seconds. */
function timeOf({ startTick, atTick }: PlacedRange, sourceTick: number, { secondsPerTick }: TickClock): number {
  return (atTick + Math.max(0, sourceTick - startTick)) * secondsPerTick
}

export function rangesOf(piece: MixedPiece): readonly PlacedRange[] {
  return 'copied' in piece ? [piece.copied.range] : piece.encoded.ranges
}

/** Ticks of the source. */
export interface TickSpan {
  readonly fromTick: number
  readonly toTick: number
}

/** Frames that follow each other in the clip, and what they are compared with. */
export interface CheckedFrames {
  /** A group of pictures of the source; null for an encoded piece, which must decode without an error. */
  readonly source: TickSpan | null
  readonly count: number
  /** When the first and the last start in the clip. */
  readonly firstSeconds: number
  readonly lastSeconds: number
}

/**
 * What is decoded around each joint with a copied stretch, as runs of frames without a gap: whole encoded pieces, and of copied
 * stretches the group of pictures beside the joint.
 */
export function framesAtJoints(plan: CheckedPlan): CheckedFrames[][] {
  const groupOf = (pieceIndex: number, edge: 'first' | 'last'): CheckedFrames[] => {
    const piece = plan.pieces[pieceIndex]
    if (!piece || 'encoded' in piece) return []
    const source = groupAtEdge(piece.copied, plan.grid.accessPoints, edge)
    return [checkedFrames(plan, piece, source)]
  }
  return plan.pieces.flatMap((piece, index) => {
    const before = groupOf(index - 1, 'last')
    if ('copied' in piece) return before.length > 0 ? [[...before, ...groupOf(index, 'first')]] : []
    const after = groupOf(index + 1, 'first')
    if (before.length + after.length === 0) return []
    return [[...before, checkedFrames(plan, piece, null), ...after]]
  })
}

/** The frames of a piece, or those of it that are in a span of the source. */
function checkedFrames({ grid, clock }: CheckedPlan, piece: MixedPiece, source: TickSpan | null): CheckedFrames {
  const { fromTick, toTick } = source ?? { fromTick: Number.NEGATIVE_INFINITY, toTick: Number.POSITIVE_INFINITY }
  const { frameTicks } = grid
  const [after, before] = [fromTick, toTick].map((bound) => lowerBound(frameTicks, (tick) => tick < bound))
  const shown = rangesOf(piece).flatMap((range) => {
    const { from, to } = framesOfRange(range, grid)
    const [first, end] = [Math.max(from, after ?? 0), Math.min(to, before ?? 0)]
    const at = (index: number) => timeOf(range, frameTicks[index] ?? 0, clock)
    return first < end ? [{ count: end - first, firstSeconds: at(first), lastSeconds: at(end - 1) }] : []
  })
  return {
    source,
    count: shown.reduce((sum, { count }) => sum + count, 0),
    firstSeconds: shown[0]?.firstSeconds ?? 0,
    lastSeconds: shown.at(-1)?.lastSeconds ?? 0,
  }
}

/** The first or the last group of pictures of a stretch. */
function groupAtEdge(
  { fromTick, toTick }: CopiedStretch,
  { ticks, leadingTicks }: AccessPoints,
  edge: 'first' | 'last',
): TickSpan {
  const first = lowerBound(ticks, (tick) => tick <= fromTick)
  const end = lowerBound(ticks, (tick) => tick < toTick)
  if (first >= end) return { fromTick, toTick }
  return edge === 'first'
    ? { fromTick, toTick: leadingTicks[first] ?? toTick }
    : { fromTick: ticks[end - 1] ?? fromTick, toTick }
}
