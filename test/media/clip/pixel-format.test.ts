import { describe, expect, it } from 'vitest'
import { assertEncodableDepth, bitsOf, pixelFormatOf } from '../../../src/media/clip/pixel-format.ts'

describe('the depth of a picture', () => {
  it.each([
    ['yuv420p', 8],
    ['yuvj420p', 8],
    ['rgb565le', 8],
    ['yuv420p10le', 10],
    ['p010le', 10],
    ['yuv422p12be', 12],
    ['rgb48le', 16],
    [undefined, 8],
  ])('of %s is %d bits', (name, bits) => {
    expect(bitsOf(name)).toBe(bits)
  })

  it('is kept by H.264 up to 10 bits, and refused with advice where the encoder has fewer', () => {
    expect(pixelFormatOf('yuv422p10le', 'mp4')).toBe('yuv420p10le')
    expect(pixelFormatOf('yuvj420p', 'mp4')).toBe('yuv420p')
    expect(() => assertEncodableDepth('yuv420p10le', 'mov')).not.toThrow()
    expect(() => assertEncodableDepth('yuv420p10le', 'webm')).toThrow(
      /10 bits .* webm clip has at most 8\. Set settings\.format/,
    )
    expect(() => assertEncodableDepth('yuv420p12le', 'mp4')).toThrow(/12 bits .* Convert the video to 10/)
  })
})
