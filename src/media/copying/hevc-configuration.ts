import { CopyRefusal, refuseCut, refuseUnless } from './copy-refusal.ts'
import { idOf, setTypeOf, unitType } from './hevc-sets.ts'

// The hvcC box of MP4 (ISO/IEC 14496-15, 8.3.3.1) holds the parameter sets of an H.265 track.

export interface HevcConfiguration {
  /** What precedes the lists of units. */
  readonly header: Buffer
  readonly nalLengthBytes: number
  readonly sets: readonly Buffer[]
  /** Messages to the decoder, which rank with the sets. */
  readonly messages: readonly Buffer[]
}

const headerBytes = 22
const damaged = 'the parameter sets of the picture are damaged'

/** Throws `CopyRefusal` if the box is damaged or does not have all kinds of parameter sets. */
export function parseHevcConfiguration(box: Buffer): HevcConfiguration {
  return refuseCut(damaged, () => {
    refuseUnless(box.readUInt8(0) === 1, 'the parameter sets of the picture cannot be read')
    const units = readUnits(box)
    const sets = units.filter((unit) => setTypeOf(unit) !== undefined)
    const kinds = new Set(sets.map(setTypeOf))
    refuseUnless(kinds.size === 3, 'the picture has its parameter sets among its frames')
    return {
      header: box.subarray(0, headerBytes),
      nalLengthBytes: hevcLengthBytes(box),
      sets,
      messages: units.filter((unit) => setTypeOf(unit) === undefined),
    }
  })
}

/** Of the length before each unit. */
export function hevcLengthBytes(box: Buffer): number {
  return refuseCut(damaged, () => (box.readUInt8(21) & 3) + 1)
}

/** Bits of brightness. */
export function hevcDepth(box: Buffer): number {
  return 8 + (box.readUInt8(17) & 7)
}

/** Whether the encoder says that some pictures are fields, or frames of two (general_interlaced_source_flag, ITU-T H.265, 7.4.4). */
export function hasFields(box: Buffer): boolean {
  return refuseCut(damaged, () => (box.readUInt8(6) & 0x40) !== 0)
}

function readUnits(box: Buffer): Buffer[] {
  const units: Buffer[] = []
  let at = headerBytes + 1
  for (let lists = box.readUInt8(headerBytes); lists > 0; lists--) {
    const count = box.readUInt16BE(at + 1)
    at += 3
    for (let left = count; left > 0; left--) {
      const length = box.readUInt16BE(at)
      refuseUnless(length > 2 && at + 2 + length <= box.length, damaged)
      units.push(box.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
  }
  return units
}

export function writeHevcConfiguration({ header, sets, messages }: HevcConfiguration): Buffer {
  const units = [...sets, ...messages]
  const types = [...new Set(units.map(unitType))]
  const lists = types.flatMap((type) => {
    const list = units.filter((unit) => unitType(unit) === type)
    // The highest bit says that there are no others among the frames.
    return [Buffer.from([0x80 | type]), sized(list.length), ...list.flatMap(withSize)]
  })
  return Buffer.concat([header, Buffer.from([types.length]), ...lists])
}

function sized(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}

function withSize(unit: Buffer): Buffer[] {
  return [sized(unit.length), unit]
}

/** All parameter sets of several files. Throws `CopyRefusal` if two differ and have one id, or profiles differ. */
export function mergeHevcConfigurations(all: readonly HevcConfiguration[]): HevcConfiguration {
  const [first] = all
  if (!first) throw new CopyRefusal('nothing can be copied')
  return {
    ...first,
    header: all.map(({ header }) => header).reduce(mergeHeaders),
    sets: distinctSets(all.flatMap(({ sets }) => sets)),
    messages: [
      ...new Map(all.flatMap(({ messages }) => messages).map((unit) => [unit.toString('latin1'), unit])).values(),
    ],
  }
}

/** The bytes of a header that two encoders must share: profile, chroma, depths and the length of lengths. */
const shared = [
  [1, 0xdf],
  [16, 0xff],
  [17, 0xff],
  [18, 0xff],
  [21, 3],
] as const

/** What is true of both. */
function mergeHeaders(one: Buffer, other: Buffer): Buffer {
  const at = (bytes: Buffer, index: number) => bytes[index] ?? 0
  refuseUnless(
    shared.every(([index, mask]) => ((at(one, index) ^ at(other, index)) & mask) === 0),
    'the encoder has no matching profile for the picture',
  )
  const merged = Buffer.from(one)
  // The tier, and the flags of compatible profiles and of constraints.
  merged[1] = at(one, 1) | at(other, 1)
  for (let index = 2; index < 12; index++) merged[index] = at(one, index) & at(other, index)
  merged[12] = Math.max(at(one, 12), at(other, 12))
  // Not stated: spatial segments, parallelism, the average frame rate, and whether it is constant.
  merged.set([0xf0, 0, 0xfc], 13)
  merged.set([0, 0], 19)
  const layers = Math.max(at(one, 21) & 0x38, at(other, 21) & 0x38)
  merged[21] = layers | (at(one, 21) & at(other, 21) & 4) | (at(one, 21) & 3)
  return merged
}

function distinctSets(sets: readonly Buffer[]): Buffer[] {
  const byId = new Map<string, Buffer>()
  for (const set of sets) {
    const id = `${setTypeOf(set)} ${idOf(set)}`
    const same = byId.get(id)
    refuseUnless(!same || same.equals(set), 'the parameter sets of the picture change')
    byId.set(id, set)
  }
  return [...byId.values()]
}
