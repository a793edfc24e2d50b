import { CopyRefusal, refuseCut, refuseUnless } from './copy-refusal.ts'
import { damagedSets, distinctSets, readExpGolomb } from './nal-units.ts'

// The hvcC box of MP4 (ISO/IEC 14496-15, 8.3.3.1) holds the parameter sets of an H.265 track.

interface HevcConfiguration {
  /** What precedes the lists of units. */
  readonly header: Buffer
  readonly nalLengthBytes: number
  readonly sets: readonly Buffer[]
  /** Messages to the decoder, which rank with the sets. */
  readonly messages: readonly Buffer[]
}

const headerBytes = 22

/** Throws `CopyRefusal` if the box is damaged or does not have all kinds of parameter sets. */
export function parseHevcConfiguration(box: Buffer): HevcConfiguration {
  return refuseCut(damagedSets, () => {
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
  return refuseCut(damagedSets, () => (box.readUInt8(21) & 3) + 1)
}

/** Bits of brightness. */
export function hevcDepth(box: Buffer): number {
  return 8 + (box.readUInt8(17) & 7)
}

/** Whether the encoder says that some pictures are fields, or frames of two (general_interlaced_source_flag, ITU-T H.265, 7.4.4). */
export function hasFields(box: Buffer): boolean {
  return refuseCut(damagedSets, () => (box.readUInt8(6) & 0x40) !== 0)
}

function readUnits(box: Buffer): Buffer[] {
  const units: Buffer[] = []
  let at = headerBytes + 1
  for (let lists = box.readUInt8(headerBytes); lists > 0; lists--) {
    const count = box.readUInt16BE(at + 1)
    at += 3
    for (let left = count; left > 0; left--) {
      const length = box.readUInt16BE(at)
      refuseUnless(length > 2 && at + 2 + length <= box.length, damagedSets)
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
    sets: distinctSets(
      all.flatMap(({ sets }) => sets),
      (set) => `${setTypeOf(set)} ${idOf(set)}`,
    ),
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

// Parameter sets of H.265 (ITU-T H.265, 7.3.2) refer to each other by ids, and slices of pictures to them. x265 always writes the id 0,
// as most encoders of sources do. So that both can be in one track, encoded units get other ids: such that their codes are longer by
// exactly a byte, and all that follows them keeps its bits.

/** Of 16 ids. */
const videoId = 15
/** The only one of 16 whose code has 9 bits instead of the one of 0. */
const sequenceId = 15
/** Of 64, of which 15 to 30 have codes of 9 bits. With this one, no changed byte of a slice is 0, so that none needs an escape. */
const pictureId = 30

type SetType = 'video' | 'sequence' | 'picture'

/** Undefined if the unit is no parameter set. */
function setTypeOf(unit: Buffer): SetType | undefined {
  const types: Readonly<Record<number, SetType>> = { 32: 'video', 33: 'sequence', 34: 'picture' }
  return types[unitType(unit)]
}

export function idOf(set: Buffer): number {
  const type = setTypeOf(set)
  const payload = unescaped(set.subarray(2))
  if (type === 'video') return (payload[0] ?? 0) >> 4
  const at = type === 'sequence' ? sequenceIdAt(payload) : 0
  return readExpGolomb(payload.subarray(at, at + 2))
}

/** The unit with the ids of encoded units. Throws `CopyRefusal` if it is not as x265 writes it. */
export function withOtherIds(unit: Buffer): Buffer {
  const type = setTypeOf(unit)
  if (type === undefined) return unitType(unit) < 32 ? withPictureId(unit) : unit
  const [header, payload] = [unit.subarray(0, 2), unescaped(unit.subarray(2))]
  if (type === 'picture') {
    const named = replaceZero(payload, 0, pictureId)
    return Buffer.concat([header, escaped(replaceZero(named, codeBits, sequenceId))])
  }
  payload[0] = ((payload[0] ?? 0) & 0x0f) | (videoId << 4)
  const named = type === 'video' ? payload : replaceZero(payload, 8 * sequenceIdAt(payload), sequenceId)
  return Buffer.concat([header, escaped(named)])
}

/** In a slice, the id follows one flag, or two in a picture at which decoding can start (7.3.6.1). */
function withPictureId(slice: Buffer): Buffer {
  const type = unitType(slice)
  return replaceZero(slice, 16 + (type >= 16 && type <= 23 ? 2 : 1), pictureId)
}

/**
 * Makes a CRA picture a BLA picture without leading pictures, which begins a sequence wherever it is. As the order in which pictures are
 * shown is counted with few bits, a CRA picture behind others would be shown among them (8.3.1).
 */
export function withoutLink(unit: Buffer): void {
  const [cra, bla] = [21, 18]
  if (unitType(unit) === cra) unit[0] = (((unit[0] ?? 0) & 0x81) | (bla << 1)) & 0xff
}

/** Of network abstraction layer units (7.4.2.2). */
function unitType(unit: Buffer): number {
  return ((unit[0] ?? 0) >> 1) & 0x3f
}

/** The ids 15 to 30 take this many bits, of which 4 are zeros before `id + 1`. 0 takes one. */
const codeBits = 9

/** Replaces the code of 0 at this bit. */
function replaceZero(bytes: Buffer, atBit: number, id: number): Buffer {
  const at = atBit >> 3
  const after = 7 - (atBit & 7)
  const byte = bytes[at] ?? 0
  refuseUnless(((byte >> after) & 1) === 1, 'the encoder wrote other ids of parameter sets than expected')
  const replaced = (((byte >> (after + 1)) << codeBits) | (id + 1)) << after
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([(replaced >> 8) & 0xff, (replaced & 0xff) | (byte & ((1 << after) - 1))]),
    bytes.subarray(at + 1),
  ])
}

/** The byte at which a sequence parameter set has its id: behind profile, tier and level (7.3.3) of it and of each of its sub-layers. */
function sequenceIdAt(payload: Buffer): number {
  const subLayers = ((payload[0] ?? 0) >> 1) & 7
  if (subLayers === 0) return 13
  const flags = refuseCut(damagedSets, () => payload.readUInt16BE(13))
  const ofLayers = Array.from({ length: subLayers }, (_, layer) => {
    const [hasProfile, hasLevel] = [(flags >> (15 - 2 * layer)) & 1, (flags >> (14 - 2 * layer)) & 1]
    return 11 * hasProfile + hasLevel
  })
  return 15 + ofLayers.reduce((sum, bytes) => sum + bytes, 0)
}

/** Without the bytes that keep start codes out of units (7.3.1.1). */
function unescaped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte, at) => !(byte === 3 && at >= 2 && bytes[at - 1] === 0 && bytes[at - 2] === 0)))
}

function escaped(bytes: Buffer): Buffer {
  const written: number[] = []
  let zeros = 0
  for (const byte of bytes) {
    if (zeros === 2 && byte <= 3) {
      written.push(3)
      zeros = 0
    }
    written.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(written)
}
