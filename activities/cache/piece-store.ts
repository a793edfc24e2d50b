import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PieceStore } from '../../src/media/pieces/obtain-piece.ts'
import { ObjectNotFoundError } from '../../src/storage/storage.ts'
import { piecesFolder, stageFolder } from '../../src/store/staged-folders.ts'
import type { Dependencies } from '../dependencies.ts'

/** The number of decoding errors, behind the bytes of a piece. */
const trailerBytes = 4

/**
 * Stores finished pieces of a job's work for other workers and later attempts with the same build of ffmpeg. Their folder is
 * staged, and upkeep deletes it after the job's end.
 */
export function openPieceStore(
  { db, storage, ffmpegBuild }: Pick<Dependencies, 'db' | 'storage' | 'ffmpegBuild'>,
  jobId: string,
): PieceStore {
  const folder = piecesFolder(jobId, ffmpegBuild)
  return {
    restore: async (name, file, signal) => {
      try {
        await pipeline(await storage.read(`${folder}/${name}`, { signal }), createWriteStream(file), { signal })
      } catch (error) {
        if (error instanceof ObjectNotFoundError) return undefined
        throw error
      }
      return takeTrailer(file)
    },
    save: async (name, { file, decodeErrors }, signal) => {
      await stageFolder(db, jobId, folder)
      const trailer = Buffer.alloc(trailerBytes)
      trailer.writeUInt32LE(Math.min(decodeErrors, 2 ** 32 - 1))
      const object = Readable.from(withTrailer(createReadStream(file), trailer), { objectMode: false })
      await storage.write(`${folder}/${name}`, object, 'application/octet-stream', signal)
    },
  }
}

async function* withTrailer(bytes: AsyncIterable<Buffer>, trailer: Buffer): AsyncGenerator<Buffer> {
  yield* bytes
  yield trailer
}

/** Cuts the trailer off the file, and returns its number. */
async function takeTrailer(file: string): Promise<number> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(trailerBytes), 0, trailerBytes, size - trailerBytes)
    await handle.truncate(size - trailerBytes)
    return buffer.readUInt32LE()
  } finally {
    await handle.close()
  }
}
