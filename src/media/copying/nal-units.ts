import { refuseUnless } from './copy-refusal.ts'

// Network abstraction layer units, of which packets of H.264 and H.265 consist.

/** Four hours with three parameter sets every second have 43,200. */
const maxUnits = 100_000

/**
 * Units after start codes (ITU-T H.264, annex B), or with their lengths before them (ISO/IEC 14496-15, 5.3.2). Read one by one as they
 * are asked for, because a unit can be empty. Throws `CopyRefusal` where there are more than in any film.
 */
export function unitsIn(stream: Buffer, lengthBytes: number): Iterable<Buffer> {
  const first = stream.indexOf(startCode)
  // A unit of one byte, which a start code would be the length of, is no parameter set.
  return first >= 0 && first <= 1 ? unitsAfterStartCodes(stream) : unitsWithLengths(stream, lengthBytes)
}

const startCode = Buffer.from([0, 0, 1])

function* unitsAfterStartCodes(stream: Buffer): Iterable<Buffer> {
  let units = 0
  for (let at = stream.indexOf(startCode); at >= 0; ) {
    const next = stream.indexOf(startCode, at + startCode.length)
    units += 1
    refuseUnless(units <= maxUnits, tooManySets)
    yield stream.subarray(at + startCode.length, next < 0 ? stream.length : next)
    at = next
  }
}

export function* unitsWithLengths(stream: Buffer, lengthBytes: number): Iterable<Buffer> {
  let units = 0
  for (let at = 0; at < stream.length; ) {
    refuseUnless(at + lengthBytes <= stream.length, damagedSets)
    const start = at + lengthBytes
    at = start + stream.readUIntBE(at, lengthBytes)
    units += 1
    refuseUnless(units <= maxUnits, tooManySets)
    refuseUnless(at <= stream.length, damagedSets)
    yield stream.subarray(start, at)
  }
}

export const damagedSets = 'the parameter sets of the picture are damaged'
export const tooManySets = 'the picture has too many parameter sets'

/** One of each id. Throws `CopyRefusal` if two differ and have one id. */
export function distinctSets(sets: readonly Buffer[], idOf: (set: Buffer) => number | string): Buffer[] {
  const byId = new Map<number | string, Buffer>()
  for (const set of sets) {
    const id = idOf(set)
    const same = byId.get(id)
    refuseUnless(!same || same.equals(set), 'the parameter sets of the picture change')
    byId.set(id, set)
  }
  return [...byId.values()]
}

/** The unsigned Exp-Golomb number in the first bits. An id of at most 63 needs two bytes, one of at most 255 three. */
export function readExpGolomb(bytes: Buffer): number {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const zeros = bits.indexOf('1')
  refuseUnless(zeros >= 0 && 2 * zeros < bits.length, damagedSets)
  return Number.parseInt(bits.slice(zeros, 2 * zeros + 1), 2) - 1
}

/** A unit with its length in four bytes before it. */
export function withLength(unit: Buffer): Buffer[] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(unit.length)
  return [length, unit]
}
