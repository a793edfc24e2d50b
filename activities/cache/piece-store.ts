import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { PieceStore } from '../../src/media/pieces/obtain-piece.ts'
import { ObjectNotFoundError } from '../../src/storage/storage.ts'
import { piecesFolder, stageFolder } from '../../src/store/staged-folders.ts'
import type { Dependencies } from '../dependencies.ts'

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
        return true
      } catch (error) {
        if (error instanceof ObjectNotFoundError) return false
        throw error
      }
    },
    save: async (name, file, signal) => {
      await stageFolder(db, jobId, folder)
      await storage.write(`${folder}/${name}`, createReadStream(file), 'application/octet-stream', signal)
    },
  }
}
