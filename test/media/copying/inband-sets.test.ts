import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unitsIn } from '../../../src/media/copying/nal-units.ts'

/** Parameter sets: no zeros at their ends, and no start codes within (ITU-T H.264, 7.4.1). */
const units = fc.array(
  fc.uint8Array({ minLength: 2, maxLength: 40, min: 1 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 6 },
)

it('reads units after start codes, and units with their lengths before them', () => {
  fc.assert(
    fc.property(units, fc.constantFrom(1, 2, 4), fc.boolean(), (given, lengthBytes, isLong) => {
      const code = Buffer.from(isLong ? [0, 0, 0, 1] : [0, 0, 1])
      const hex = (all: Iterable<Buffer>) => Array.from(all, (unit) => unit.toString('hex').replace(/(00)+$/, ''))
      expect(hex(unitsIn(Buffer.concat(given.flatMap((unit) => [code, unit])), lengthBytes))).toEqual(hex(given))
      const sized = given.flatMap((unit) => {
        const length = Buffer.alloc(lengthBytes)
        length.writeUIntBE(unit.length, 0, lengthBytes)
        return [length, unit]
      })
      expect(hex(unitsIn(Buffer.concat(sized), lengthBytes))).toEqual(hex(given))
    }),
  )
})

it('refuses a length that is cut', () => {
  expect(() => [...unitsIn(Buffer.from([0, 0]), 4)]).toThrow('the parameter sets of the picture are damaged')
})

it('reads units only as they are asked for', () => {
  const damagedBehindFirst = Buffer.from([0, 0, 0, 2, 7, 8, 0, 0])
  const [first] = unitsIn(damagedBehindFirst, 4)
  expect(first).toEqual(Buffer.from([7, 8]))
})

it.each([
  ['lengths', Buffer.alloc(4)],
  ['start codes', Buffer.from([0, 0, 1])],
])('refuses millions of empty units by %s', (_name, empty) => {
  const units = unitsIn(Buffer.alloc(8 * 2 ** 20, empty), 4)
  expect(() => [...units]).toThrow('the picture has too many parameter sets')
})
