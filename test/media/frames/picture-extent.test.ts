import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jpegOfEmptyScans } from '../../../lab/hostile/hostile-files.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import type { PictureFormat } from '../../../src/core/media.ts'
import { pictureEnd } from '../../../src/media/frames/uploaded-picture.ts'

const never = new AbortController().signal
const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '../../fixtures', name))
const [jpeg, webp] = [fixture('astronaut.jpg'), fixture('portrait.webp')]

/** The file's content, and how often it was read. */
function fileOf(content: Buffer) {
  let reads = 0
  const readAt = async (position: number, length: number) => {
    reads += 1
    return content.subarray(position, position + length)
  }
  return { bytes: content.length, readAt, reads: () => reads }
}

const endOf = (content: Buffer, format: PictureFormat = 'jpg') => pictureEnd(fileOf(content), format, never)
const isRefused = { code: 'unsupported_file_type', message: /more than 100 scans, or more than 1000 segments/ }
const refused = expect.objectContaining({ ...isRefused, message: expect.stringMatching(isRefused.message) })

/** A segment that no decoder reads. */
function comment(content: Buffer, length = content.length + 2): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xfe, length >> 8, length & 0xff]), content])
}

function withFirst(segment: Buffer, picture: Buffer): Buffer {
  return Buffer.concat([picture.subarray(0, 2), segment, picture.subarray(2)])
}

function riff(chunks: number): Buffer {
  const content = Buffer.concat([
    Buffer.from('WEBP'),
    ...Array.from({ length: chunks }, () => Buffer.from('JUNK\x03\0\0\0abc\0')),
  ])
  const header = Buffer.from('RIFF\0\0\0\0')
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content])
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG of chunks of nothing. */
function png(chunks: number): Buffer {
  const chunk = (name: string) => Buffer.concat([Buffer.alloc(4), Buffer.from(name), Buffer.alloc(4)])
  const others = Array.from({ length: chunks - 1 }, () => chunk('tEXt'))
  return Buffer.concat([pngSignature, ...others, chunk('IEND')])
}

describe('the first picture of a file', () => {
  it('is all of a picture that a program wrote', async () => {
    expect([await endOf(jpeg), await endOf(webp, 'webp')]).toEqual([jpeg.length, webp.length])
  })

  it('ends before further pictures and films', async () => {
    for (const [picture, format] of [
      [jpeg, 'jpg'],
      [webp, 'webp'],
      [png(3), 'png'],
    ] as const)
      expect(await endOf(Buffer.concat([picture, jpegOfEmptyScans(64, 500)]), format)).toBe(picture.length)
  })

  it('may contain small pictures, and is not measured by their scans', async () => {
    const picture = withFirst(comment(jpegOfEmptyScans(64, 500)), jpeg)
    expect(await endOf(picture)).toBe(picture.length)
  })

  it('may have a hundred scans, and no more', async () => {
    // Its frame counts too.
    const most = jpegOfEmptyScans(64, 99)
    expect(await endOf(most)).toBe(most.length)
    await expect(endOf(jpegOfEmptyScans(64, 100))).rejects.toEqual(refused)
  })

  it.each([
    [
      'in a segment that is longer than the file',
      () => withFirst(comment(Buffer.alloc(0), 60_000), jpegOfEmptyScans(64, 500)),
    ],
    [
      'in a segment of an unknown type, which decoders search',
      () => {
        const hidden = comment(jpegOfEmptyScans(64, 500))
        hidden[1] = 0xf0
        return withFirst(hidden, jpeg)
      },
    ],
    ['behind an end before the first scan', () => withFirst(Buffer.from([0xff, 0xd9]), jpegOfEmptyScans(64, 500))],
    ['behind bytes of no segment', () => withFirst(Buffer.alloc(200_000, 0xff), jpegOfEmptyScans(64, 500))],
  ])('hides no scans %s', async (_where, picture) => {
    await expect(endOf(picture())).rejects.toEqual(refused)
  })

  it('may have a thousand segments, and no more', async () => {
    const segments = (count: number) => Buffer.concat(Array.from({ length: count }, () => comment(Buffer.alloc(3))))
    await expect(endOf(withFirst(segments(900), jpeg))).resolves.toBeGreaterThan(jpeg.length)
    await expect(endOf(withFirst(segments(1_001), jpeg))).rejects.toEqual(refused)
    await expect(endOf(riff(1_000), 'webp')).resolves.toBe(riff(1_000).length)
    await expect(endOf(riff(1_001), 'webp')).rejects.toEqual(refused)
    await expect(endOf(png(10_000), 'png')).resolves.toBe(png(10_000).length)
    await expect(endOf(png(10_001), 'png')).rejects.toEqual(refused)
  })

  it('is found in any bytes, or refused, with a bounded number of reads', async () => {
    const parts = [
      jpeg,
      webp,
      jpegOfEmptyScans(64, 60),
      riff(300),
      png(200),
      Buffer.alloc(70_000, 0xff),
      Buffer.from('fffe0000', 'hex'),
    ]
    const piece = fc
      .tuple(fc.constantFrom(...parts), fc.nat(), fc.nat())
      .map(([part, from, to]) => part.subarray(from % part.length, (from % part.length) + (to % part.length)))
    const content = fc.array(fc.oneof(piece, fc.uint8Array({ maxLength: 64 })), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom('jpg', 'png', 'webp'), async (pieces, format) => {
        const file = fileOf(Buffer.concat(pieces))
        const end = await pictureEnd(file, format, never).catch((error: unknown) => error)
        if (typeof end === 'number') expect(end).toBeLessThanOrEqual(file.bytes)
        else expect(end).toBeInstanceOf(ServiceError)
        expect(file.reads()).toBeLessThanOrEqual(2 * 1_002 + file.bytes / 65_535)
      }),
      { numRuns: 2_000 },
    )
  })
})
