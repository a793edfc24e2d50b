import fc from 'fast-check'
import { expect, it } from 'vitest'
import { logoCorners } from '../../../src/core/brand.ts'
import { placeLogo } from '../../../src/media/clip/logo.ts'

const sides = (least: number) =>
  fc.record({ width: fc.integer({ min: least, max: 4_000 }), height: fc.integer({ min: least, max: 4_000 }) })
const even = sides(1).map(({ width, height }) => ({ width: width * 2, height: height * 2 }))
const part = fc.double({ min: 0, max: 0.4, noNaN: true })
const margins = fc.option(fc.record({ top: part, bottom: part, left: part, right: part }), { nil: undefined })
const width = fc.double({ min: 0.02, max: 0.5, noNaN: true })

it('a logo of any shape stands inside of any picture, at even places', () => {
  fc.assert(
    fc.property(
      even,
      sides(1),
      fc.constantFrom(...logoCorners),
      margins,
      width,
      (picture, logo, corner, inside, across) => {
        const pixels = { path: '', format: 'picture' as const, ...logo }
        const look = { uploadId: 'upl_a', pixels, corner, width: across, margins: inside, safeArea: undefined }
        const place = placeLogo(picture, look)
        for (const each of Object.values(place)) expect(each % 2).toBe(0)
        expect(Math.min(place.width, place.height)).toBeGreaterThanOrEqual(2)
        expect(Math.min(place.left, place.top)).toBeGreaterThanOrEqual(0)
        expect(place.left + place.width).toBeLessThanOrEqual(picture.width)
        expect(place.top + place.height).toBeLessThanOrEqual(picture.height)
      },
    ),
  )
})
