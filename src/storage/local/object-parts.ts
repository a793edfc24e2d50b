import { constants } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { hasCode, onDisk } from '../../core/disk.ts'
import { ObjectExistsError, type ObjectPart, type ObjectParts } from '../storage.ts'
import { commitFile, infoOfRecord, objectFolder, readRecord, type TempPath } from './write-object.ts'

const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants

/** What has arrived is a file in the folder of the object, with which it is deleted. */
export function localParts(root: string, tempPath: TempPath): ObjectParts {
  const partOf = (folder: string, { session }: Pick<ObjectPart, 'session'>) =>
    path.join(folder, session === 1 ? 'part' : `part-${session}`)

  async function openPart(part: ObjectPart) {
    const folder = await objectFolder(root, part.key)
    await mkdir(folder, { recursive: true })
    const file = partOf(folder, part)
    const handle = await open(file, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600)
    // Another PUT may have completed the object meanwhile: then nothing would read the part.
    if (!(await readRecord(folder))) return handle
    await handle.close()
    await rm(file, { force: true })
    throw new ObjectExistsError('this object is complete')
  }

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
      const handle = await onDisk(() => openPart(part))
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
    discard: (key) =>
      onDisk(async () => {
        const folder = await objectFolder(root, key)
        const names = await readdir(folder).catch((error: unknown) => {
          if (hasCode(error, 'ENOENT')) return []
          throw error
        })
        for (const name of names) if (/^part(-\d+)?$/.test(name)) await rm(path.join(folder, name), { force: true })
      }),
  }
}
