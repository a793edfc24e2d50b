import { open } from 'node:fs/promises'
import { ServiceError } from '../core/errors.ts'

/** A day of fragments of a second. */
const mostBoxes = 200_000

/**
 * Refuses an MP4 or MOV file whose last box is longer than what is there: its index promises media that is missing, and
 * ffmpeg would read it as if it ended early.
 */
export async function refuseTruncatedBoxes(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const header = Buffer.alloc(16)
    let at = 0
    for (let boxes = 0; boxes < mostBoxes && at + 8 <= size; boxes++) {
      await file.read(header, 0, 16, at)
      const short = header.readUInt32BE(0)
      // 1: a 64-bit size follows the type; 0: up to the end of the file.
      const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short
      if (length === 0) return
      // Not a box: whatever stands behind the last one is none of our business.
      if (length < 8) return
      if (at + length > size && isMediaBox(header)) {
        throw new ServiceError('processing_failed', 'The file is cut off: a part of it is missing. Upload it whole.')
      }
      at += length
    }
  } finally {
    await file.close()
  }
}

function isMediaBox(header: Buffer): boolean {
  return ['mdat', 'moov', 'moof'].includes(header.toString('latin1', 4, 8))
}
