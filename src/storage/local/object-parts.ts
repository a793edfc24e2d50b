import { constants } from 'node:fs'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { hasCode, onDisk } from '../../core/disk.ts'
import type { ObjectPart, ObjectParts } from '../storage.ts'
import { commitFile, infoOfRecord, objectFolder, type TempPath } from './write-object.ts'

const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants

/** What has arrived is a file in the folder of the object, with which it is deleted. */
export function localParts(root: string, tempPath: TempPath): ObjectParts {
  const partOf = (folder: string, { session }: Pick<ObjectPart, 'session'>) =>
    path.join(folder, session === 1 ? 'part' : `part-${session}`)

  return {
    bytesOf: (part) =>
      onDisk(async () => {
        const found = await stat(partOf(await objectFolder(root, part.key), part)).catch((error: unknown) => {
          if (hasCode(error, 'ENOENT')) return undefined
          throw error
        })
        return found?.size ?? 0
      }),
    append: async (part, source, from) => {
      const handle = await onDisk(async () => {
        const folder = await objectFolder(root, part.key)
        await mkdir(folder, { recursive: true })
        return open(partOf(folder, part), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600)
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
    finish: async (part, contentType, onRead) => {
      const { key } = part
      const folder = await onDisk(() => objectFolder(root, key))
      const file = partOf(folder, part)
      const record = await commitFile(tempPath, { folder, file, contentType, onRead })
      await onDisk(() => rm(file, { force: true }))
      return infoOfRecord(key, record)
    },
  }
}
