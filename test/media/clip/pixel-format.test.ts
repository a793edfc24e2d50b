import { describe, expect, it } from 'vitest'
import { bitsOf, isRgb, pixelFormatOf, videoCodecOf } from '../../../src/media/clip/picture-filters.ts'

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

  it.each([
    ['yuv422p12le', 'mov', 'hevc', 'yuv420p10le', false],
    ['yuv420p10le', 'webm', 'vp9', 'yuv420p10le', false],
    ['yuv420p10le', 'm4v', 'h264', 'yuv420p10le', false],
    ['yuvj420p', 'mp4', 'h264', 'yuv420p', false],
    ['yuva420p', 'mov', 'h264', 'yuv420p', false],
    ['yuva420p', 'webm', 'vp9', 'yuva420p', true],
    ['yuva444p12le', 'webm', 'vp9', 'yuva420p', true],
  ] as const)('of %s in %s is encoded as %s of %s', (pixelFormat, format, codec, encoded, alpha) => {
    expect(videoCodecOf(format, { pixelFormat })).toBe(codec)
    expect(pixelFormatOf({ pixelFormat }, { alpha })).toBe(encoded)
  })
})

it.each(['rgb24', 'bgr0', 'argb', 'gbrp10le', 'pal8', 'x2rgb10le'])('%s is red, green and blue', (pixelFormat) => {
  expect(isRgb({ pixelFormat })).toBe(true)
})

it.each(['yuv420p', 'gray10le', undefined])('%s is not', (pixelFormat) => expect(isRgb({ pixelFormat })).toBe(false))

it.each([
  ['AV1 by its matrix', 'av1', 'yuv444p', 'gbr', true],
  ['AV1 of 10 bits by its matrix', 'av1', 'yuv444p10le', 'gbr', true],
  ['H.264 with a wrong matrix', 'h264', 'yuv420p', 'gbr', false],
  ['PNG without a format', 'png', undefined, undefined, true],
  ['zlib without a format', 'zlib', undefined, 'gbr', true],
  ['H.265 without a format', 'hevc', undefined, undefined, false],
] as const)(
  'the picture of %s is known to be red, green and blue or not',
  (_what, codec, pixelFormat, matrix, expected) => {
    expect(isRgb({ pixelFormat, codec, colour: { matrix } })).toBe(expected)
  },
)
