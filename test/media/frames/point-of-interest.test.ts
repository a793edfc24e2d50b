import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cropAround, pointOfInterest } from '../../../src/media/frames/point-of-interest.ts'

/** Grey, with a chessboard in a square of 32 pixels. */
function pictureWithDetailAt(left: number, top: number) {
  const [width, height] = [320, 180]
  const rgb = new Uint8Array(width * height * 3).fill(128)
  for (let y = top; y < top + 32; y += 1)
    for (let x = left; x < left + 32; x += 1)
      rgb.fill((x + y) % 2 === 0 ? 0 : 255, (y * width + x) * 3, (y * width + x + 1) * 3)
  return { width, height, rgb }
}

describe('the point of interest', () => {
  it('is where the detail is', () => {
    const { x, y } = pointOfInterest(pictureWithDetailAt(256, 32), [])
    expect(x).toBeCloseTo((256 + 16) / 320, 1)
    expect(y).toBeCloseTo((32 + 16) / 180, 1)
  })

  it('is in the faces where there are some that are sure, nearer to the larger', () => {
    const small = { x: 0.1, y: 0.4, width: 0.1, height: 0.1, score: 0.9 }
    const large = { x: 0.6, y: 0.4, width: 0.2, height: 0.2, score: 0.9 }
    const picture = pictureWithDetailAt(256, 32)
    expect(pointOfInterest(picture, [small])).toEqual({ x: expect.closeTo(0.15), y: expect.closeTo(0.45) })
    expect(pointOfInterest(picture, [small, large]).x).toBeGreaterThan(0.55)
    expect(pointOfInterest(picture, [{ ...small, score: 0.6 }]).x).toBeGreaterThan(0.8)
  })

  it('is the middle of a picture without detail', () => {
    const rgb = new Uint8Array(48 * 27 * 3).fill(77)
    expect(pointOfInterest({ width: 48, height: 27, rgb }, [])).toEqual({ x: 0.5, y: 0.5 })
  })
})

describe('a crop', () => {
  it('is in the picture, even, as large as its shape allows, and around the point where that fits', () => {
    const length = fc.integer({ min: 2, max: 4_000 })
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const shape = fc.constantFrom(16 / 9, 9 / 16, 1)
    fc.assert(
      fc.property(length, length, share, share, shape, (width, height, x, y, wanted) => {
        const crop = cropAround({ x, y }, { width, height }, wanted)
        for (const value of Object.values(crop)) expect(value % 2).toBe(0)
        expect(crop.left).toBeGreaterThanOrEqual(0)
        expect(crop.top).toBeGreaterThanOrEqual(0)
        expect(crop.left + crop.width).toBeLessThanOrEqual(width)
        expect(crop.top + crop.height).toBeLessThanOrEqual(height)
        expect(crop.width >= width - 1 || crop.height >= height - 1).toBe(true)
        const isFree = crop.left > 0 && crop.left + crop.width < width - 2
        if (isFree) expect(Math.abs(crop.left + crop.width / 2 - x * width)).toBeLessThanOrEqual(2)
      }),
    )
  })
})
