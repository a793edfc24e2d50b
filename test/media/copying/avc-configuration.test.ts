import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  freeSetId,
  mergeAvcConfigurations,
  parseAvcConfiguration,
  writeAvcConfiguration,
} from '../../../src/media/copying/avc-configuration.ts'
import { CopyRefusal } from '../../../src/media/copying/copy-refusal.ts'

/** The bits of an unsigned Exp-Golomb number, and a stop bit, in whole bytes. */
function golomb(id: number): number[] {
  const bits = (id + 1).toString(2)
  const padded = `${'0'.repeat(bits.length - 1)}${bits}1`.padEnd(24, '0')
  return [0, 8, 16].map((at) => Number.parseInt(padded.slice(at, at + 8), 2))
}

function configuration(id: number, level = 31, tail = 7) {
  return {
    ...{ profile: 100, compatibility: 0, level, nalLengthBytes: 4 },
    sequenceSets: [Buffer.from([0x67, 100, 0, level, ...golomb(id), tail])],
    pictureSets: [Buffer.from([0x68, ...golomb(id), tail])],
    extension: Buffer.from([0xfd, 0xf8, 0xf8, 0]),
  }
}

describe('the parameter sets of a track', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31 }), fc.integer({ min: 10, max: 52 }), (id, level) => {
        expect(parseAvcConfiguration(writeAvcConfiguration(configuration(id, level)))).toEqual(configuration(id, level))
        expect(freeSetId(configuration(id))).toBe(id === 0 ? 1 : 0)
      }),
    )
  })

  it('of two encoders are listed together, at the higher level', () => {
    const merged = mergeAvcConfigurations([configuration(0, 31), configuration(1, 40), configuration(0, 31)])
    expect(merged.sequenceSets).toHaveLength(2)
    expect(merged.pictureSets).toHaveLength(2)
    expect(merged.level).toBe(40)
  })

  it('are refused if different ones have the same id, and if profiles differ', () => {
    expect(() => mergeAvcConfigurations([configuration(0), configuration(0, 31, 9)])).toThrow(CopyRefusal)
    expect(() => mergeAvcConfigurations([configuration(0), { ...configuration(1), profile: 77 }])).toThrow(CopyRefusal)
  })

  it('that are damaged are refused, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          freeSetId(parseAvcConfiguration(Buffer.from(bytes)))
        } catch (error) {
          expect(error).toBeInstanceOf(CopyRefusal)
        }
      }),
    )
  })
})
