import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../src/core/errors.ts'
import { inspectMedia, isStreamable } from '../../../src/media/inspect/inspect.ts'
import { assertCompleteBoxes, assertReadableTracks, isFragmented } from '../../../src/media/inspect/mp4-boxes.ts'
import { assertOneLink } from '../../../src/media/inspect/mpeg-frames.ts'
import { sniffFormat } from '../../../src/media/inspect/sniff.ts'
import { fileSource, type MediaSource } from '../../../src/media/source/media-source.ts'
import { fixture } from '../../fixtures/make.ts'
import { inputsTried, survivesMangling } from '../../mangled-bytes.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const names = ['speech.mp3', 'speech.m4a', 'speech.aac', 'speech.ogg', 'speech.webm', 'film.mov', 'beeps.mp4'] as const
const files = await Promise.all(names.map(async (name) => readFile(await fixture(name))))
const codes = ['unsupported_file_type', 'processing_failed', 'media_too_large']
const isDeclared = (error: unknown) => error instanceof ServiceError && codes.includes(error.code) && !error.retryable

/** Counts the reads. */
function sourceOf(bytes: Buffer) {
  let reads = 0
  const source: MediaSource = {
    ...{ bytes: bytes.length, version: null, fetchedBytes: () => null },
    readAt: async (position, length) => {
      reads += 1
      return bytes.subarray(position, position + length)
    },
    input: (format) => ({ path: '', format }),
  }
  return { source, reads: () => reads }
}

describe('a mangled file', () => {
  it('is recognised or refused after a few reads', async () => {
    await survivesMangling({
      samples: files.map((bytes) => bytes.subarray(0, 8_000)),
      parse: async (_, bytes) => {
        const { source, reads } = sourceOf(bytes)
        for (const look of [assertCompleteBoxes, assertReadableTracks, assertOneLink])
          await look(source, never).catch((error: unknown) => {
            if (!isDeclared(error)) throw error
          })
        await isFragmented(source, never)
        await isStreamable(source, never).catch(() => {})
        // Eight tags, and the blocks of boxes.
        expect(reads()).toBeLessThan(60)
        await sniffFormat(source, never)
      },
      isDeclared,
    })
  })

  it('is inspected, or refused for good', async () => {
    const [ffmpeg, file] = [testFfmpeg(), path.join(temporaryFolder(), 'mangled')]
    await survivesMangling({
      samples: files.map((bytes) => bytes.subarray(0, 40_000)),
      parse: async (_, bytes) => {
        await writeFile(file, bytes)
        const { durationSeconds } = await inspectMedia(await fileSource(file), ffmpeg, never)
        expect(durationSeconds).toBeGreaterThan(0)
      },
      isDeclared,
      inputs: inputsTried / 10,
    })
  })
})
