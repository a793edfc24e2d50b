import { ServiceError } from '../../core/errors.ts'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import type { MediaSource } from '../source/media-source.ts'

/** Whether files of the format consist of boxes, with an index of all packets in one of them. */
export function hasBoxes(format: FfmpegInput['format']): boolean {
  return ['mp4', 'mov', 'm4v', 'm4a'].includes(format)
}

interface Box {
  readonly type: string
  /** Start of the next box. */
  readonly end: number
}

/** Enough for an hour of fragments of one second, each with its index. Later boxes are not read, because a file can have millions. */
const maxBoxes = 10_000

/** Headers of small boxes share a read. */
const blockBytes = 4096
const headerBytes = 16

/** The first top-level boxes of an MP4 or MOV file, in order. Bytes after the last box are ignored. */
async function* topBoxes(source: MediaSource, signal: AbortSignal): AsyncGenerator<Box> {
  let block = Buffer.alloc(0)
  let blockStart = 0
  let at = 0
  for (let boxes = 0; boxes < maxBoxes && at + 8 <= source.bytes; boxes++) {
    if (at + headerBytes > blockStart + block.length) {
      block = Buffer.from(await source.readAt(at, blockBytes, signal))
      blockStart = at
    }
    const header = Buffer.alloc(headerBytes)
    block.copy(header, 0, at - blockStart)
    const short = header.readUInt32BE(0)
    // 1: a 64-bit size follows the type; 0: up to the end of the file.
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short || source.bytes - at
    if (length < 8) return
    at += length
    yield { type: header.toString('latin1', 4, 8), end: at }
  }
}

/**
 * Throws `processing_failed` for an MP4 or MOV file whose last box is longer than the file: its index lists media that is
 * missing, and ffmpeg would read it as if it ended early.
 */
export async function assertCompleteBoxes(source: MediaSource, signal: AbortSignal): Promise<void> {
  for await (const { type, end } of topBoxes(source, signal)) {
    if (end > source.bytes && ['mdat', 'moov', 'moof'].includes(type)) {
      throw new ServiceError('processing_failed', 'The file is incomplete: its end is missing. Upload the whole file.')
    }
  }
}

/** Whether the media is stored in many fragments, each with its own index. */
export async function isFragmented(source: MediaSource, signal: AbortSignal): Promise<boolean> {
  for await (const { type } of topBoxes(source, signal)) if (type === 'moof') return true
  return false
}
