import fc from 'fast-check'
import { expect, it } from 'vitest'
import { picture, shrink } from '../../src/core/picture.ts'

it('a shrunken picture has the mean of the pixels that each of its own covers', () => {
  const rgb = Uint8Array.from([0, 0, 0, 10, 20, 30, 100, 100, 100, 110, 120, 130])
  expect(shrink({ width: 4, height: 1, rgb }, { width: 2, height: 1 }).rgb).toEqual(
    Uint8Array.of(5, 10, 15, 105, 110, 115),
  )
  expect(shrink({ width: 2, height: 2, rgb }, { width: 1, height: 1 }).rgb).toEqual(Uint8Array.of(55, 60, 65))
})

it('a picture of one colour keeps it at every size', () => {
  const size = fc.record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) })
  fc.assert(
    fc.property(size, size, fc.nat(255), (from, to, value) => {
      const rgb = new Uint8Array(from.width * from.height * 3).fill(value)
      const shrunk = picture.parse(shrink({ ...from, rgb }, to))
      expect(shrunk.rgb).toEqual(new Uint8Array(to.width * to.height * 3).fill(value))
    }),
  )
})
