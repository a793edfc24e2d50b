import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../src/core/errors.ts'
import { packetReader } from '../../../src/media/sound/meter.ts'
import { box, fragment } from '../quicktime-fragments.ts'

const frameBytes = 4

/** The bytes of as many frames, which count up. */
const samplesOf = ({ startFrame, frames }: { readonly startFrame: number; readonly frames: number }) =>
  Buffer.from(Array.from({ length: frames * frameBytes }, (_, index) => (startFrame + index) % 251))

const fragments = fc.array(
  fc.record({ startFrame: fc.nat({ max: 1_000_000 }), frames: fc.integer({ min: 1, max: 60 }) }),
)

it('yields the same frames at the same times, whatever the chunks, from one buffer that is read into again', () => {
  fc.assert(
    fc.property(fragments, fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), (made, lengths) => {
      const parts = made.map((each) => fragment(each.startFrame, samplesOf(each)))
      const whole = Buffer.concat([box('ftyp', Buffer.from('qt  ')), box('moov', Buffer.alloc(70)), ...parts])
      const read = packetReader(frameBytes)
      const buffer = Buffer.alloc(90)
      const times: number[] = []
      const bytes: Buffer[] = []
      for (let at = 0, turn = 0; at < whole.length; turn++) {
        const length = whole.copy(buffer, 0, at, at + (lengths[turn % lengths.length] ?? 1))
        for (const packet of read(buffer.subarray(0, length))) {
          for (let frame = 0; frame < packet.bytes.length / frameBytes; frame++) times.push(packet.startFrame + frame)
          bytes.push(Buffer.from(packet.bytes))
        }
        buffer.fill(0xff)
        at += length
      }
      const expected = made.flatMap(({ startFrame, frames }) =>
        Array.from({ length: frames }, (_, index) => startFrame + index),
      )
      expect(times).toEqual(expected)
      expect(Buffer.concat(bytes)).toEqual(Buffer.concat(made.map(samplesOf)))
    }),
  )
})

describe('a stream that is not whole frames of one track', () => {
  const time = box('tfdt', Buffer.alloc(12))
  const oversized = box('moov', Buffer.alloc(8))
  oversized.writeUInt32BE(2 ** 20)
  it.each([
    ['has part of a frame', fragment(0, Buffer.alloc(3 * frameBytes + 1))],
    ['has a box of no bytes', Buffer.alloc(8)],
    ['announces a box that is too large to keep', oversized],
    ['has fragments of two tracks', box('moof', Buffer.concat([box('traf', time), box('traf', time)]))],
    ['has a fragment without a time', box('moof', box('traf', box('trun', Buffer.alloc(12))))],
    ['has a fragment whose time is cut off', box('moof', box('traf', box('tfdt', Buffer.alloc(4))))],
    ['has a box that is longer than the one around it', box('moof', oversized)],
  ])('fails for good if it %s', (_, bytes) => {
    const error = thrownBy(() => packetReader(frameBytes)(bytes))
    expect(error).toMatchObject({ code: 'processing_failed' })
    expect(error.isRetriedAfter(1)).toBe(false)
  })
})

function thrownBy(run: () => unknown): ServiceError {
  try {
    run()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
