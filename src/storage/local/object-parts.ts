import { constants } from 'node:fs'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { hasCode, onDisk } from '../../core/disk.ts'
import type { ObjectParts } from '../storage.ts'
import { commitFile, infoOfRecord, objectFolder, type TempPath } from './write-object.ts'

const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants

/** The part of an object is a file in the folder of the object, with which it is deleted. */
export function localParts(root: string, tempPath: TempPath): ObjectParts {
  const partOf = (folder: string) => path.join(folder, 'part')

  return {
    bytesOf: (key) =>
      onDisk(async () => {
        const found = await stat(partOf(await objectFolder(root, key))).catch((error: unknown) => {
          if (hasCode(error, 'ENOENT')) return undefined
          throw error
        })
        return found?.size ?? 0
      }),
    append: async (key, source, from) => {
      const handle = await onDisk(async () => {
        const folder = await objectFolder(root, key)
        await mkdir(folder, { recursive: true })
        return open(partOf(folder), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600)
      })
      let end = from
      try {
        for await (const chunk of source) {
          for (let at = 0; at < chunk.length; ) {
            const { bytesWritten } = await onDisk(() => handle.write(chunk, at, chunk.length - at, end))
            at += bytesWritten
            end += bytesWritten
          }
        }
      } finally {
        try {
          await onDisk(() => handle.datasync())
        } finally {
          await handle.close()
        }
      }
      return end
    },
    finish: async (key, contentType, onRead) => {
      const folder = await onDisk(() => objectFolder(root, key))
      const record = await commitFile(tempPath, { folder, file: partOf(folder), contentType, onRead })
      await onDisk(() => rm(partOf(folder), { force: true }))
      return infoOfRecord(key, record)
    },
  }
}
