import { beforeAll, expect, it } from 'vitest'
import { readFont } from '../../../src/core/font-file.ts'
import { isDrawn, loadRenderer, renderSvg, withMemoryLimit } from '../../../src/media/captions/renderer.ts'
import { blockFont, segmentMap } from '../../fixtures/block-font.ts'

beforeAll(() => loadRenderer())

const svg = (size: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${content}</svg>`

it('draws letters in the first of its fonts', () => {
  const block = renderSvg(svg(100, '<text y="80" font-size="100" font-family="sans-serif">A</text>'), [blockFont()])
  const opaque = block.filter((value, at) => at % 4 === 3 && value > 200).length
  // As wide as its size, and 0.7 of it high.
  expect(opaque / 10_000).toBeCloseTo(0.7, 1)
})

it('tells fonts that it can read from others', () => {
  const letters = { letters: 'ABC' }
  expect(isDrawn(blockFont(), readFont(blockFont()))).toBe(true)
  expect(isDrawn(blockFont(segmentMap), letters)).toBe(true)
  expect(isDrawn(blockFont().subarray(0, 200), letters)).toBe(false)
  expect(isDrawn(blockFont(), { letters: 'abc' })).toBe(false)
})

it('needs no more memory than it may', () => {
  // A picture of 12,000 × 12,000 pixels takes 576 MB.
  expect(() => renderSvg(svg(12_000, ''), [])).toThrow(WebAssembly.RuntimeError)
})

it('leaves a module without a memory alone', () => {
  expect(() => withMemoryLimit(Buffer.from('0061736d01000000', 'hex'), 10)).toThrow('no memory')
})
