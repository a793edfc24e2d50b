import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Chunk, chunksOf } from '../../src/storage/gcs/write-object.ts'

const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 12 })

it('chunks are the source in order, all full except the last, and only the last is marked', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 30 }), async (source, size) => {
      const whole = Buffer.concat(source)
      const chunks: Chunk[] = []
      for await (const chunk of chunksOf(Readable.from(source.map((piece) => Buffer.from(piece))), size)) {
        chunks.push(chunk)
      }
      expect(Buffer.concat(chunks.map(({ bytes }) => bytes)).equals(whole)).toBe(true)
      expect(chunks.map(({ isLast }) => isLast)).toEqual(chunks.map((_, index) => index === chunks.length - 1))
      expect(chunks.map(({ start }) => start)).toEqual(chunks.map((_, index) => index * size))
      expect(chunks.slice(0, -1).every(({ bytes }) => bytes.length === size)).toBe(true)
      const last = chunks.at(-1)?.bytes.length ?? -1
      expect(last).toBeLessThanOrEqual(size)
      expect(last === 0).toBe(whole.length === 0)
    }),
  )
})
