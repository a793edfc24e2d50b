import type { z } from 'zod'
import type { ApiContext } from '../http/context.ts'
import { registerUpload } from './register.ts'
import type { uploadRequest, uploadSchema } from './schema.ts'

type PresignContext = Pick<ApiContext, 'config' | 'db' | 'storage' | 'pressure'>

export const uploadUrlSeconds = 900

/** A signed URL for the upload of one file. */
export async function presignUpload(
  context: PresignContext,
  accountId: string,
  { filename: fileName, bytes = 0, content_type: claimed }: z.output<typeof uploadRequest>,
): Promise<z.output<typeof uploadSchema>> {
  const file = { fileName, bytes, contentType: claimed }
  const { key, contentType, maxBytes, presented } = await registerUpload(context, accountId, file)
  const { url, headers } = await context.storage.presignPut({
    key,
    contentType,
    maxBytes,
    expiresInSeconds: uploadUrlSeconds,
  })
  return {
    ...presented,
    upload_url: url,
    upload_method: 'PUT',
    upload_headers: { ...headers },
    expires_in_seconds: uploadUrlSeconds,
  }
}
