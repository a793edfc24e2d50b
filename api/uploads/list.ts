import type { z } from 'zod'
import { listUploads, type Upload } from '../../src/store/uploads.ts'
import type { ApiContext } from '../http/context.ts'
import { decodePosition, pageOf } from '../http/pages.ts'
import { presentUpload } from './register.ts'
import type { listedUpload, uploadFilter } from './schema.ts'

type ListContext = Pick<ApiContext, 'config' | 'db' | 'storage'>

/** A page of an account's uploads, newest first. The storage knows which have arrived, so the status is filtered within the page. */
export async function pageOfUploads(
  context: ListContext,
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

async function presentListed({ config, storage }: ListContext, upload: Upload): Promise<z.output<typeof listedUpload>> {
  const object = await storage.stat(upload.objectKey)
  return {
    ...presentUpload(config, upload),
    status: object ? 'received' : 'waiting',
    ...(object ? { bytes: object.bytes } : {}),
    created_at: upload.createdAt.toISOString(),
  }
}
