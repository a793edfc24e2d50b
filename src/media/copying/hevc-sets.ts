import { refuseCut, refuseUnless } from './copy-refusal.ts'

// Parameter sets of H.265 (ITU-T H.265, 7.3.2) refer to each other by ids, and slices of pictures to them. x265 always writes the id 0,
// as most encoders of sources do. So that both can be in one track, encoded units get other ids: such that their codes are longer by
// exactly a byte, and all that follows them keeps its bits.

const damaged = 'the parameter sets of the picture are damaged'

/** Of 16 ids. */
const videoId = 15
/** The only one of 16 whose code has 9 bits instead of the one of 0. */
const sequenceId = 15
/** Of 64, of which 15 to 30 have codes of 9 bits. With this one, no changed byte of a slice is 0, so that none needs an escape. */
const pictureId = 30

export type SetType = 'video' | 'sequence' | 'picture'

/** Undefined if the unit is no parameter set. */
export function setTypeOf(unit: Buffer): SetType | undefined {
  const types: Readonly<Record<number, SetType>> = { 32: 'video', 33: 'sequence', 34: 'picture' }
  return types[unitType(unit)]
}

export function idOf(set: Buffer): number {
  const type = setTypeOf(set)
  const payload = unescaped(set.subarray(2))
  if (type === 'video') return (payload[0] ?? 0) >> 4
  return readExpGolomb(payload.subarray(type === 'sequence' ? sequenceIdAt(payload) : 0))
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
export function unitType(unit: Buffer): number {
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
  const flags = refuseCut(damaged, () => payload.readUInt16BE(13))
  const ofLayers = Array.from({ length: subLayers }, (_, layer) => {
    const [hasProfile, hasLevel] = [(flags >> (15 - 2 * layer)) & 1, (flags >> (14 - 2 * layer)) & 1]
    return 11 * hasProfile + hasLevel
  })
  return 15 + ofLayers.reduce((sum, bytes) => sum + bytes, 0)
}

/** The unsigned Exp-Golomb number in the first bits. An id of at most 63 needs two bytes. */
function readExpGolomb(bytes: Buffer): number {
  const bits = [...bytes.subarray(0, 2)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const zeros = bits.indexOf('1')
  refuseUnless(zeros >= 0 && 2 * zeros < bits.length, damaged)
  return Number.parseInt(bits.slice(zeros, 2 * zeros + 1), 2) - 1
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
