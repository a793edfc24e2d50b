import type { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { findUpload, listUploads, type Upload } from '../../src/store/uploads.ts'
import type { ApiContext } from '../http/context.ts'
import { decodePosition, pageOf } from '../http/pages.ts'
import { presentUpload } from './register.ts'
import type { listedUpload, uploadFilter } from './schema.ts'

type ReadContext = Pick<ApiContext, 'config' | 'db' | 'storage'>

/** A page of an account's uploads, newest first. Of some, only the storage knows whether they have arrived, so the status is filtered within the page. */
export async function pageOfUploads(
  context: ReadContext,
  accountId: string,
  { limit, cursor, status, ...asked }: z.output<typeof uploadFilter>,
) {
  const { name: fileName, created_after: createdAfter, created_before: createdBefore } = asked
  const filter = { fileName, createdAfter, createdBefore }
  const found = await listUploads(context.db, accountId, { limit: limit + 1, after: decodePosition(cursor), filter })
  const [page, next] = pageOf(found, limit)
  const uploads = await Promise.all(page.map((upload) => presentListed(context, upload)))
  return { uploads: uploads.filter((upload) => status === undefined || upload.status === status), ...next }
}

/** An upload as lists have it. Throws `not_found` if the account has no such upload. */
export async function readUpload(context: ReadContext, accountId: string, uploadId: string) {
  if (!isId('upl', uploadId))
    throw new ServiceError('not_found', 'The id of an upload begins with upl_. Check the path and the method.')
  const upload = await findUpload(context.db, accountId, uploadId)
  if (!upload) throw noSuchUpload()
  return presentListed(context, upload)
}

export function noSuchUpload(): ServiceError {
  return new ServiceError('not_found', 'This account has no upload with this id. Check the upload id.')
}

async function presentListed({ config, storage }: ReadContext, upload: Upload): Promise<z.output<typeof listedUpload>> {
  const bytes = upload.bytes === null ? (await storage.stat(upload.objectKey))?.bytes : Number(upload.bytes)
  return {
    ...presentUpload(config, upload),
    ...(bytes === undefined ? { status: 'waiting' } : { status: 'received', bytes }),
    created_at: upload.createdAt.toISOString(),
  }
}
