import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeField } from '../../src/models/onnx-file.ts'
import {
  decodeSteps,
  findBoxes,
  type PixelBox,
  readCharacters,
  scaledPixels,
} from '../../src/models/read-text/paddle-ocr.ts'

/** A map with these chances in rectangles, and none elsewhere. */
function mapOf(width: number, height: number, parts: readonly (PixelBox & { readonly chance: number })[]) {
  const chances = new Float32Array(width * height)
  for (const { x, y, chance, ...size } of parts)
    for (let row = y; row < y + size.height; row += 1)
      chances.fill(chance, row * width + x, row * width + x + size.width)
  return { width, height, chances }
}

describe('boxes of text', () => {
  it('are around connected pixels, grown, from the top to the bottom', () => {
    const low = { x: 10, y: 60, width: 40, height: 6, chance: 0.9 }
    const high = { x: 30, y: 10, width: 50, height: 8, chance: 0.8 }
    const [first, second, ...more] = findBoxes(mapOf(128, 96, [low, high]))
    expect(more).toEqual([])
    for (const [box, core] of [
      [first, high],
      [second, low],
    ] as const) {
      expect(box?.x).toBeLessThan(core.x)
      expect(box?.y).toBeLessThan(core.y)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(core.x + core.width)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(core.y + core.height)
    }
  })

  it.each([
    ['faint', { x: 10, y: 10, width: 40, height: 6, chance: 0.25 }],
    ['doubtful', { x: 10, y: 10, width: 40, height: 6, chance: 0.45 }],
    ['of two rows', { x: 10, y: 10, width: 40, height: 2, chance: 0.9 }],
    ['higher than 30 % of the picture', { x: 10, y: 10, width: 40, height: 32, chance: 0.9 }],
  ])('leave out what is %s', (_what, part) => {
    expect(findBoxes(mapOf(128, 96, [part]))).toEqual([])
  })

  it('join the parts of a line, and not of columns', () => {
    const parts = [20, 64, 200].map((x) => ({ x, y: 40, width: 40, height: 10, chance: 0.9 }))
    const [first, second, ...more] = findBoxes(mapOf(256, 256, parts))
    expect(more).toEqual([])
    expect(first?.x).toBeLessThan(20)
    expect((first?.x ?? 0) + (first?.width ?? 0)).toBeGreaterThan(104)
    expect(second?.x).toBeGreaterThan(180)
  })

  it('are a hundred at most, the largest', () => {
    const small = Array.from({ length: 144 }, (_, index) => ({
      ...{ x: (index % 12) * 20 + 4, y: Math.floor(index / 12) * 20 + 4, height: 4, chance: 0.9 },
      width: index < 44 ? 5 : 8,
    }))
    const boxes = findBoxes(mapOf(256, 256, small))
    expect(boxes).toHaveLength(100)
    expect(Math.min(...boxes.map(({ width }) => width))).toBeGreaterThanOrEqual(8)
  })

  it('are within the picture, whatever the map', () => {
    const part = fc.record({
      ...{
        x: fc.nat(40),
        y: fc.nat(40),
        width: fc.integer({ min: 1, max: 24 }),
        height: fc.integer({ min: 1, max: 24 }),
      },
      chance: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        for (const { x, y, width, height } of findBoxes(mapOf(64, 64, parts))) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
          expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(64)
          expect(Math.min(width, height)).toBeGreaterThanOrEqual(3)
        }
      }),
    )
  })
})

describe('the characters of a recogniser', () => {
  const metadata = (key: string, value: string) =>
    writeField(14, Buffer.concat([writeField(1, key), writeField(2, value)]))

  it('are those of its metadata, between the blank and the space', () => {
    const onnx = Buffer.concat([metadata('shape', '48'), metadata('character', 'a\né\n字\n')])
    expect(readCharacters(onnx)).toEqual(['', 'a', 'é', '字', ' '])
    expect(() => readCharacters(metadata('shape', '48'))).toThrow('characters')
  })

  it('are decoded without blanks and repeats, and with the mean of their probabilities', () => {
    const characters = ['', 'a', 'b', ' ']
    const steps = (...chosen: readonly (readonly [index: number, probability: number])[]) =>
      Float32Array.from(
        chosen.flatMap(([index, probability]) => characters.map((_, at) => (at === index ? probability : 0))),
      )
    const read = decodeSteps(steps([1, 0.5], [1, 0.9], [0, 1], [1, 1], [3, 1], [2, 0.5], [3, 1]), characters)
    expect(read.text).toBe('aa b')
    expect(read.confidence).toBeCloseTo((0.5 + 1 + 1 + 0.5 + 1) / 5)
    expect(decodeSteps(steps([0, 1], [0, 1]), characters)).toEqual({ text: '', confidence: 0 })
  })
})

describe('pixels for a model', () => {
  it('are planes of blue, green and red from -1 to 1, and 0 beyond the picture', () => {
    const rgb = Uint8Array.from([255, 0, 127.5, 255, 0, 127.5])
    const { values, width } = scaledPixels(
      { width: 2, height: 1, rgb },
      { x: 0, y: 0, width: 2, height: 1 },
      { width: 4, height: 2 },
      6,
    )
    expect(width).toBe(6)
    const row = (channel: number, y: number) =>
      Array.from(values.slice((channel * 2 + y) * 6, (channel * 2 + y + 1) * 6))
    expect(row(1, 0)).toEqual([-1, -1, -1, -1, 0, 0])
    expect(row(2, 1)).toEqual([1, 1, 1, 1, 0, 0])
  })

  it('stay the same at the same size, and mix neighbours between', () => {
    const rgb = Uint8Array.from([0, 0, 0, 100, 100, 100, 200, 200, 200])
    const levels = (length: number) => {
      const picture = { width: 3, height: 1, rgb }
      const { values } = scaledPixels(picture, { x: 0, y: 0, width: 3, height: 1 }, { width: length, height: 1 })
      return Array.from(values.slice(0, length), (value) => Math.round((value + 1) * 127.5))
    }
    expect(levels(3)).toEqual([0, 100, 200])
    expect(levels(6)).toEqual([0, 25, 75, 125, 175, 200])
  })
})
