import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorTable } from '../../../src/core/errors.ts'
import { frameParser } from '../../../src/media/frames/sample-frames.ts'
import { box, fragment } from '../quicktime-fragments.ts'

const frameBytes = 30

describe('the stream of frames', () => {
  it('has the same frames with their times, in whatever chunks it comes', () => {
    const frame = fc.record({
      milliseconds: fc.nat(2 ** 40),
      pixels: fc.uint8Array({ minLength: frameBytes, maxLength: frameBytes }),
    })
    const chunkBytes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(frame), chunkBytes, (frames, lengths) => {
        const fragments = frames.map(({ milliseconds, pixels }) => fragment(milliseconds, pixels))
        const stream = Buffer.concat([box('ftyp', Buffer.from('qt  ')), ...fragments, box('mfra', Buffer.alloc(9))])
        const parse = frameParser(frameBytes)
        const found: ReturnType<typeof parse> = []
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const length = lengths[turn % lengths.length] ?? 1
          found.push(...parse(stream.subarray(at, at + length)))
          at += length
        }
        expect(found).toEqual(
          frames.map(({ milliseconds, pixels }) => ({ seconds: milliseconds / 1000, bytes: Uint8Array.from(pixels) })),
        )
      }),
    )
  })

  it('is refused with pictures of another size', () => {
    const parsing = (bytes: Buffer) => () => frameParser(frameBytes)(bytes)
    expect(parsing(fragment(0, new Uint8Array(frameBytes + 1)))).toThrow(errorTable.processing_failed.message)
    expect(parsing(Buffer.alloc(8))).toThrow(errorTable.processing_failed.message)
  })
})
