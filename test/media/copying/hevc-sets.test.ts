import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CopyRefusal } from '../../../src/media/copying/copy-refusal.ts'
import {
  idOf,
  mergeHevcConfigurations,
  parseHevcConfiguration,
  withOtherIds,
  writeHevcConfiguration,
} from '../../../src/media/copying/hevc-configuration.ts'

/** Parameter sets that x265 wrote for 640 × 360 at 25 frames a second. */
const sets = [
  '40010c01ffff01600000030090000003000003003fba0240',
  '42010101600000030090000003000003003fa00502016965bab930bc05a708000003000800000300c840',
  '4401c173c189',
].map((hex) => Buffer.from(hex, 'hex'))
const messages: Buffer[] = []
const header = Buffer.from('0101600000009000000000003ff000fcfdf8f800000f', 'hex')
const configuration = { header, nalLengthBytes: 4, sets, messages }

/** A slice in which nothing must be escaped. `flags` are before the id: two in types 16 to 23. */
const anySlice = fc
  .record({
    type: fc.constantFrom(0, 1, 8, 9, 19, 20, 21),
    flags: fc.integer({ min: 0, max: 3 }),
    rest: fc.integer({ min: 0, max: 31 }),
    data: fc.uint8Array({ maxLength: 50 }),
  })
  .map(({ type, flags, rest, data }) => {
    const bits = type >= 16 ? `${flags >> 1}${flags & 1}1` : `${flags & 1}1`
    const first = Number.parseInt(`${bits}${rest.toString(2).padStart(5, '0')}`.padEnd(8, '1').slice(0, 8), 2)
    return { type, bits, slice: Buffer.from([type << 1, 1, first, ...data]) }
  })

const bitsOf = (bytes: Buffer) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')

describe('the ids of encoded units', () => {
  it('are others in parameter sets, which keep the rest', () => {
    expect(sets.map(idOf)).toEqual([0, 0, 0])
    expect(sets.map(withOtherIds).map(idOf)).toEqual([15, 15, 30])
    expect(sets.map((set) => withOtherIds(set).length - set.length)).toEqual([0, 1, 2])
  })

  it('are read behind the levels of sub-layers', () => {
    const general = Buffer.alloc(13, 1)
    general[0] = 1 << 1
    const ofLayer = Buffer.alloc(12, 2)
    // The codes of 0 and of 3.
    for (const [code, id] of [
      [0x80, 0],
      [0x20, 3],
    ] as const)
      expect(
        idOf(
          Buffer.concat([Buffer.from([33 << 1, 1]), general, Buffer.from([0xc0, 0]), ofLayer, Buffer.from([code, 0])]),
        ),
      ).toBe(id)
  })

  it('are others in slices, of which all other bits stay, and nothing looks like a start code', () => {
    fc.assert(
      fc.property(anySlice, ({ bits, slice }) => {
        const written = withOtherIds(slice)
        const flags = bits.slice(0, -1)
        expect(bitsOf(written.subarray(2))).toBe(`${flags}000011111${bitsOf(slice.subarray(2)).slice(bits.length)}`)
        expect([written[2], written[3]].map((byte) => byte !== 0)).toEqual([true, true])
      }),
    )
  })

  it('stay in units that have none, and are refused where they are not those of x265', () => {
    const message = Buffer.from([39 << 1, 1, 0, 0])
    expect(withOtherIds(message)).toBe(message)
    expect(() => withOtherIds(Buffer.from([2, 1, 0b1010_0000]))).toThrow(CopyRefusal)
  })
})

describe('the parameter sets of an HEVC track', () => {
  it('are read as they were written', () => {
    expect(parseHevcConfiguration(writeHevcConfiguration(configuration))).toEqual(configuration)
  })

  it('of two encoders are listed together, at the higher level', () => {
    const higher = Buffer.from(header)
    higher[12] = 120
    const other = { ...configuration, header: higher, sets: sets.map(withOtherIds) }
    const merged = mergeHevcConfigurations([configuration, other, configuration])
    expect(merged.sets).toEqual([...sets, ...other.sets])
    expect(merged.header[12]).toBe(120)
  })

  it('are refused if different ones have the same id, and if profiles differ', () => {
    const changed = sets.map((set) => Buffer.concat([set, Buffer.from([1])]))
    expect(() => mergeHevcConfigurations([configuration, { ...configuration, sets: changed }])).toThrow(/change/)
    const main10 = Buffer.from(header)
    main10[1] = 2
    expect(() => mergeHevcConfigurations([configuration, { ...configuration, header: main10 }])).toThrow(/profile/)
  })

  it('that are damaged are refused, whatever the bytes are', () => {
    const valid = writeHevcConfiguration(configuration)
    fc.assert(
      fc.property(fc.nat({ max: valid.length - 1 }), fc.nat({ max: 255 }), fc.nat(), (at, byte, length) => {
        const box = Buffer.from(valid.subarray(0, length % (valid.length + 1)))
        if (at < box.length) box[at] = byte
        try {
          const parsed = parseHevcConfiguration(box)
          mergeHevcConfigurations([configuration, parsed])
          parsed.sets.map(withOtherIds)
        } catch (error) {
          expect(error).toBeInstanceOf(CopyRefusal)
        }
      }),
    )
  })
})
