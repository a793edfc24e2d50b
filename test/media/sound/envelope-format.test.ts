import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeEnvelope,
  type Envelope,
  EnvelopeFormatError,
  encodeEnvelope,
  readEnvelope,
} from '../../../src/media/sound/envelope.ts'
import { survivesMangling } from '../../mangled-bytes.ts'
import { measureSamples } from './measure-samples.ts'

const envelope = fc
  .record({
    startCell: fc.nat(1_000_000),
    cells: fc.integer({ min: 1, max: 30 }),
    rate: fc.integer({ min: 1, max: 192_000 }),
  })
  .chain(({ startCell, cells, rate }) =>
    fc.record<Envelope>({
      startMs: fc.constant(startCell * 10),
      endMs: fc.constant((startCell + cells) * 10),
      sampleRate: fc.constant(rate),
      frames: fc.constant(Math.floor((cells * rate) / 200)),
      decodeErrors: fc.nat(2 ** 32 - 1),
      peaks: fc.uint16Array({ minLength: cells * 10, maxLength: cells * 10 }),
      squares: fc.float32Array({ minLength: cells, maxLength: cells, noNaN: true }),
    }),
  )
const [encoded, hour] = [
  encodeEnvelope(measureSamples([1, 2, 3, -4], { startMs: 10, endMs: 20, sampleRate: 1_000, channels: 1 })),
  { startMs: 0, endMs: 3_600_000, sampleRate: 48_000, channels: 2 },
]

async function* partsOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function* copiesOf(chunks: Iterable<Buffer>) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

describe('an envelope as a file', () => {
  it('reads back as it was written, wherever the bytes lie', () => {
    fc.assert(
      fc.property(envelope, fc.nat(7), (written, offset) => {
        const bytes = encodeEnvelope(written)
        const moved = Buffer.alloc(bytes.length + offset).subarray(offset)
        bytes.copy(moved)
        expect(decodeEnvelope(moved)).toEqual(written)
      }),
    )
  })

  it('is read from a stream, whatever the parts', async () => {
    await fc.assert(
      fc.asyncProperty(envelope, fc.integer({ min: 1, max: 90 }), async (written, size) => {
        expect(await readEnvelope(partsOf(encodeEnvelope(written), size))).toEqual(written)
      }),
    )
  })

  it('that is mangled is read, or refused soon', async () => {
    const second = encodeEnvelope(measureSamples([1, -9, 400], { ...hour, endMs: 1_000 }))
    await survivesMangling({
      samples: [encoded, second],
      parse: async (chunks) => {
        const { startMs, endMs, peaks } = await readEnvelope(copiesOf(chunks))
        expect(peaks).toHaveLength(endMs - startMs)
      },
      isDeclared: (error) => error instanceof EnvelopeFormatError,
    })
  })

  it('keeps its layout, since old files are read', () => {
    expect(encoded.toString('hex')).toBe(
      [
        '4d544556 01000000 0a000000 14000000 e8030000 00000000 0000000000001040',
        '0100 0200 0300 0400 0000 0000 0000 0000 0000 0000 0000f041',
      ]
        .join('')
        .replaceAll(' ', ''),
    )
  })

  it('takes less than 9 MB for an hour', () => {
    expect(encodeEnvelope(measureSamples([], hour)).length).toBeLessThan(9e6)
  })

  it('is refused where it is of another version, cut, longer, or no envelope', async () => {
    const changed = (offset: number, value: number) => {
      const bytes = Buffer.from(encoded)
      bytes.writeUInt32LE(value, offset)
      return bytes
    }
    const refused = [
      changed(4, 2),
      changed(0, 0),
      changed(8, 7),
      changed(12, 0),
      changed(12, 30),
      changed(12, 4_000_000_000),
      changed(16, 0),
      changed(16, 100),
      encoded.subarray(0, 20),
      encoded.subarray(0, -1),
      Buffer.concat([encoded, Buffer.alloc(1)]),
    ]
    for (const bytes of refused) expect(() => decodeEnvelope(bytes)).toThrow(EnvelopeFormatError)
    for (const bytes of refused)
      for (const size of [7, 1000])
        await expect(readEnvelope(partsOf(bytes, size))).rejects.toThrow(EnvelopeFormatError)
  })
})
