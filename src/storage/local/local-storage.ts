import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { hasCode, hasDiskSpace, onDisk } from '../../core/disk.ts'
import { pathUnder } from '../../core/urls.ts'
import type { Constraints, Signer } from '../signing.ts'
import {
  assertObjectKey,
  ObjectExistsError,
  type ObjectInfo,
  ObjectNotFoundError,
  type ObjectPart,
  type ObjectParts,
  type ReadOptions,
  type Storage,
  withSource,
} from '../storage.ts'
import {
  commitFile,
  dataFile,
  infoOfRecord,
  objectFolder,
  openIfThere,
  openTempFiles,
  prefixFolder,
  readRecord,
  type TempPath,
  type WriteInput,
  writeToFolder,
} from './write-object.ts'

interface LocalStorageOptions {
  /** Created if missing. Several processes of one machine can share it. */
  readonly directory: string
  /** The addresses where the API serves the object routes, without a trailing slash. URLs are signed under the first. */
  readonly baseUrls: readonly [string, ...string[]]
  readonly signer: Signer
}

/** Replacing an object deletes its old bytes immediately; a reader that comes in between retries and finds the new ones. */
const readTries = 5

/** Objects as files of one folder. The API serves its signed URLs. Disk failures are retryable `server_error`s. */
export function openLocalStorage(options: LocalStorageOptions): Storage {
  const { directory: root, baseUrls, signer } = options
  const tempPath = openTempFiles(path.join(root, '.temp'))

  async function put(key: string, input: Omit<WriteInput, 'folder'>, signal?: AbortSignal): Promise<ObjectInfo> {
    return withSource(input.source, signal, async () => {
      const folder = await onDisk(() => objectFolder(root, key))
      return infoOfRecord(key, await writeToFolder(tempPath, { folder, ...input }))
    })
  }

  async function read(key: string, { generation, start, end, signal }: ReadOptions = {}): Promise<Readable> {
    const folder = await objectFolder(root, key)
    for (let tries = 0; tries < readTries; tries++) {
      const object = await readRecord(folder)
      if (!object || (generation !== undefined && generation !== object.generation)) break
      const handle = await openIfThere(dataFile(folder, object.generation))
      if (handle) return handle.createReadStream({ start, end, signal })
    }
    throw new ObjectNotFoundError('no such object')
  }

  /** Renames the folder, so that the object disappears atomically, then deletes it. */
  async function discard(folder: string): Promise<void> {
    const grave = tempPath()
    try {
      await rename(folder, grave)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return
      throw error
    }
    await rm(grave, { recursive: true, force: true })
  }

  function signedUrl(method: 'GET' | 'PUT', key: string, expiresInSeconds: number, constraints: Constraints) {
    assertObjectKey(key)
    const urlPath = `/storage/${key}`
    const expiresAt = new Date(Date.now() + expiresInSeconds * 1000)
    return {
      url: `${baseUrls[0]}${urlPath}?${signer.sign({ method, path: urlPath, expiresAt, ...constraints })}`,
      expiresAt,
    }
  }

  return {
    presignPut: async ({ key, contentType, maxBytes, expiresInSeconds }) => ({
      ...signedUrl('PUT', key, expiresInSeconds, { contentType, maxBytes, fileName: null }),
      headers: { 'content-type': contentType },
    }),
    presignSession: async ({ key, contentType, maxBytes, expiresInSeconds, session = 1 }) =>
      signedUrl('PUT', key, expiresInSeconds, { contentType, maxBytes, fileName: null, session }),
    parts: localParts(root, tempPath),
    presignGet: async ({ key, contentType, fileName, expiresInSeconds, asAttachment = false }) => {
      const signed = signedUrl('GET', key, expiresInSeconds, { contentType, maxBytes: null, fileName })
      return asAttachment ? { ...signed, url: `${signed.url}&download=1` } : signed
    },
    objectOf: (url) => {
      const urlPath = pathUnder(baseUrls, url)
      if (!urlPath?.startsWith('/storage/')) return undefined
      const { status } = signer.verify('GET', urlPath, url.searchParams)
      return { key: urlPath.slice('/storage/'.length), status }
    },
    stat: (key) =>
      onDisk(async () => {
        const object = await readRecord(await objectFolder(root, key))
        return object && infoOfRecord(key, object)
      }),
    read: (key, options) => onDisk(() => read(key, options)),
    write: (key, source, contentType, signal) => put(key, { source, contentType, replace: true }, signal),
    create: (key, source, contentType, signal) => put(key, { source, contentType, replace: false }, signal),
    delete: (key) => onDisk(async () => discard(await objectFolder(root, key))),
    deleteUnder: (prefix) => onDisk(async () => discard(await prefixFolder(root, prefix))),
    localPath: (key, generation) =>
      onDisk(async () => {
        const folder = await objectFolder(root, key)
        const object = await readRecord(folder)
        return object?.generation === generation ? dataFile(folder, generation) : undefined
      }),
    hasRoom: (bytes) => onDisk(() => hasDiskSpace(root, bytes)),
    ping: () =>
      onDisk(async () => {
        const file = tempPath()
        await writeFile(file, '', { flag: 'wx' })
        await rm(file)
      }),
  }
}

const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants

/** What has arrived is a file in the folder of the object, with which it is deleted. */
function localParts(root: string, tempPath: TempPath): ObjectParts {
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
