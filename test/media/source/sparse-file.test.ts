import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { RangedBytes } from '../../../src/media/source/media-source.ts'
import { openSparseFile } from '../../../src/media/source/ranged-source.ts'

const media = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 31) % 251))
const chunkBytes = 97
const never = new AbortController().signal

/** Sends chunks of an odd length. */
function ranges(): RangedBytes {
  let fetched = 0
  return {
    bytes: media.length,
    version: null,
    fetchedBytes: () => fetched,
    beginTurn: () => {},
    close: () => {},
    async *read(start) {
      for (let at = start; at < media.length; at += chunkBytes) {
        const end = Math.min(at + chunkBytes, media.length)
        fetched += end - at
        yield media.subarray(at, end)
      }
    },
  }
}

async function openSparse() {
  const folder = await mkdtemp(path.join(tmpdir(), 'sparse '))
  const file = path.join(folder, 'media')
  const source = ranges()
  const sparse = await openSparseFile(file, source)
  onTestFinished(async () => {
    await sparse.close()
    await rm(folder, { recursive: true })
  })
  const take = async (start: number, length: number, cache: boolean) => {
    const chunks: Buffer[] = []
    let left = length
    for await (const chunk of sparse.read(start, { cache, signal: never })) {
      chunks.push(Buffer.from(chunk.subarray(0, left)))
      left -= chunk.length
      if (left <= 0) break
    }
    return Buffer.concat(chunks)
  }
  return { take, source, file }
}

it('returns the bytes of the origin for any reads, and fetches no cached byte a second time', async () => {
  const read = fc.record({
    start: fc.nat(media.length),
    length: fc.integer({ min: 1, max: 2_000 }),
    cache: fc.boolean(),
  })
  const { take } = await openSparse()
  await fc.assert(
    fc.asyncProperty(fc.array(read, { maxLength: 20 }), async (reads) => {
      for (const { start, length, cache } of reads) {
        expect(await take(start, length, cache)).toEqual(media.subarray(start, start + length))
      }
    }),
    { numRuns: 50 },
  )
  const { take: takeOnce, source } = await openSparse()
  for (const start of [1_000, 3_000, 0, 0, 2_000]) await takeOnce(start, media.length, true)
  // Except for the rest of a chunk that reaches into a cached span.
  expect(source.fetchedBytes()).toBeLessThan(media.length + 2 * chunkBytes)
})

it('writes nothing that is read without caching', async () => {
  const { take, source, file } = await openSparse()
  await take(0, media.length, false)
  expect((await stat(file)).size).toBe(0)
  await take(0, media.length, false)
  expect(source.fetchedBytes()).toBe(2 * media.length)
})
