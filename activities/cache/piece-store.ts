import { constants, createWriteStream } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../../src/core/disk-errors.ts'
import type { PieceStore } from '../../src/media/pieces/obtain-piece.ts'
import { fileChunks } from '../../src/storage/object-source.ts'
import { ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'
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
        await copyObject(storage, `${folder}/${name}`, file, signal)
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
      const object = withTrailer(fileChunks(file, signal), trailer)
      await storage.write(`${folder}/${name}`, object, 'application/octet-stream', signal)
    },
  }
}

/** The kernel copies an object that is on a disk of this machine: passing its bytes through Node takes several times as long. */
async function copyObject(storage: Storage, key: string, file: string, signal: AbortSignal): Promise<void> {
  const object = await storage.stat(key)
  if (!object) throw new ObjectNotFoundError('no such object')
  const local = await storage.localPath(key, object.generation)
  signal.throwIfAborted()
  try {
    if (local !== undefined) return await copyFile(local, file, constants.COPYFILE_FICLONE)
  } catch (error) {
    // Another worker has stored the same piece meanwhile, and its generation is read.
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await pipeline(await storage.read(key, { signal }), createWriteStream(file), { signal })
}

async function* withTrailer(bytes: AsyncIterable<Uint8Array>, trailer: Buffer): AsyncGenerator<Uint8Array, void> {
  yield* bytes
  yield trailer
}

/** Cuts the trailer off the file, and returns its number. Undefined for a file without one: the piece is then made again. */
async function takeTrailer(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    if (size < trailerBytes) return undefined
    const { buffer } = await handle.read(Buffer.alloc(trailerBytes), 0, trailerBytes, size - trailerBytes)
    await handle.truncate(size - trailerBytes)
    return buffer.readUInt32LE()
  } finally {
    await handle.close()
  }
}
