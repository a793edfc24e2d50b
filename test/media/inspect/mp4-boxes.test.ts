import { describe, expect, it } from 'vitest'
import { assertCompleteBoxes, isFragmented } from '../../../src/media/inspect/mp4-boxes.ts'
import type { MediaSource } from '../../../src/media/source/media-source.ts'

const { signal } = new AbortController()

function box(type: string, bytes = 8): Buffer {
  const made = Buffer.alloc(bytes)
  made.writeUInt32BE(bytes)
  made.write(type, 4, 'latin1')
  return made
}

/** Counts the reads. */
function sourceOf(bytes: Buffer): MediaSource & { reads: number } {
  return {
    bytes: bytes.length,
    version: null,
    reads: 0,
    async readAt(position, length) {
      this.reads += 1
      return bytes.subarray(position, position + length)
    },
    input: (format) => ({ path: '', format }),
    fetchedBytes: () => null,
  }
}

describe('the boxes of an MP4 file', () => {
  it('takes a few dozen reads for 200,000 empty ones', async () => {
    const source = sourceOf(Buffer.concat([box('ftyp', 16), ...Array.from({ length: 200_000 }, () => box('free'))]))
    await assertCompleteBoxes(source, signal)
    expect(source.reads).toBeLessThan(30)
    expect(await isFragmented(source, signal)).toBe(false)
    expect(source.reads).toBeLessThan(60)
  })

  it.each([8, 9, 4096, 4100, 9000])('are found behind a box of %d bytes', async (bytes) => {
    const source = sourceOf(Buffer.concat([box('ftyp', 16), box('free', bytes), box('moof'), box('mdat', 100)]))
    expect(await isFragmented(source, signal)).toBe(true)
    await assertCompleteBoxes(source, signal)
  })

  it('ends the file where the last one is whole', async () => {
    const cut = Buffer.concat([box('ftyp', 16), box('mdat', 10_000)]).subarray(0, 5_000)
    await expect(assertCompleteBoxes(sourceOf(cut), signal)).rejects.toMatchObject({ code: 'processing_failed' })
  })
})
