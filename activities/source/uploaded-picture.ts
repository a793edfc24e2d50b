import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../../src/core/errors.ts'
import { maxPictureBytes } from '../../src/core/media.ts'
import type { Job } from '../../src/store/jobs.ts'
import { findUpload } from '../../src/store/uploads.ts'
import type { Dependencies } from '../dependencies.ts'

interface UploadedPicture {
  readonly job: Pick<Job, 'accountId'>
  readonly uploadId: string
  /** Gets a copy if the storage is not on this machine. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** The path of an uploaded picture. Throws `not_found` if the account has deleted it, or never had it. */
export async function openUploadedPicture(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  { job, uploadId, folder, signal }: UploadedPicture,
): Promise<string> {
  const upload = await findUpload(db, job.accountId, uploadId)
  const object = upload && (await storage.stat(upload.objectKey))
  // The request was checked, and an upload accepts its bytes once.
  if (!object || object.bytes > maxPictureBytes)
    throw new ServiceError('not_found', `The upload ${uploadId} was deleted before the job read it.`)
  const { key, generation } = object
  const local = await storage.localPath(key, generation)
  if (local) return local
  const copy = path.join(folder, uploadId)
  await pipeline(await storage.read(key, { generation, signal }), createWriteStream(copy), { signal })
  return copy
}
