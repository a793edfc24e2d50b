import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { takeFromQuota } from '../../src/store/quotas.ts'
import { createUpload } from '../../src/store/uploads.ts'
import type { ApiContext, App, CredentialOf } from '../context.ts'
import { mediaTypeOf } from '../media-type.ts'
import { bodyErrors, requestId } from '../schemas/errors.ts'

export const uploadUrlSeconds = 900

const uploadRequest = z
  .object({
    filename: z.string().min(1).max(1024).describe('Its extension is a supported one.'),
    bytes: z
      .int()
      .min(0)
      .optional()
      .describe('Size of the file: the URL takes no more. Counts as the largest size when left out.'),
    content_type: z.string().min(1).max(255).optional().describe('Taken from the extension when left out.'),
  })
  .meta({ id: 'UploadRequest', examples: [{ filename: 'interview.mp4', bytes: 1_048_576, content_type: 'video/mp4' }] })

const uploadEnvelope = z
  .object({
    request_id: requestId,
    upload: z.object({
      id: z.string(),
      upload_url: z.url().describe('Takes the bytes once.'),
      upload_method: z.literal('PUT'),
      upload_headers: z.record(z.string(), z.string()).describe('Send these with the PUT.'),
      media_url: z.url().describe('Pass it to job creation when the bytes are there.'),
      content_type: z.string(),
      expires_in_seconds: z.int(),
    }),
  })
  .meta({ id: 'UploadEnvelope' })

/** `POST /v1/uploads/presign` */
export function presignUploadRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
  const { config, db, storage } = context
  app.route({
    method: 'POST',
    url: '/v1/uploads/presign',
    schema: {
      operationId: 'presignUpload',
      tags: ['uploads'],
      summary: 'Get a URL that takes a local file',
      description: 'Send the bytes to upload_url with PUT and the given headers, then create a job with media_url.',
      security: [{ ApiKey: [] }],
      body: uploadRequest,
      response: { ...bodyErrors, 200: uploadEnvelope },
    },
    handler: async (request) => {
      const { accountId } = credentialOf(request)
      const { filename, bytes = 0, content_type: claimed } = request.body
      const { format, contentType } = mediaTypeOf(filename, claimed)
      const largest = config.MAX_UPLOAD_BYTES
      if (bytes > largest)
        throw new ServiceError('payload_too_large', `Uploads take at most ${largest} bytes. Send a smaller file.`)
      const maxBytes = bytes || largest
      await countBytes(context, accountId, maxBytes)

      const id = newId('upl')
      const key = `uploads/${id}/media.${format}`
      const { url, headers } = await storage.presignPut({
        key,
        contentType,
        maxBytes,
        expiresInSeconds: uploadUrlSeconds,
      })
      const expiresAt = new Date(Date.now() + config.RETENTION_DAYS * 86_400_000)
      await createUpload(db, { id, accountId, objectKey: key, fileName: baseName(filename), contentType, expiresAt })
      return {
        request_id: request.id,
        upload: {
          id,
          upload_url: url,
          upload_method: 'PUT' as const,
          upload_headers: { ...headers },
          media_url: `${config.BASE_URL}/v1/media/${id}`,
          content_type: contentType,
          expires_in_seconds: uploadUrlSeconds,
        },
      }
    },
  })
}

/** What the URLs of a day may take in all, whether or not it arrives. */
async function countBytes({ config, db }: ApiContext, accountId: string, bytes: number): Promise<void> {
  const limit = config.PRESIGNED_BYTES_PER_ACCOUNT
  const quota = { subject: `presigned ${accountId}`, limit, windowSeconds: 86_400 }
  const { fits, left, resetSeconds } = await takeFromQuota(db, quota, bytes)
  if (fits) return
  throw new ServiceError(
    'rate_limited',
    `Uploads of this account take ${limit} bytes a day, of which ${left} are left, and this one counts as ${bytes}. Send the size of the file as bytes, or wait for the seconds in Retry-After.`,
    { retryAfterSeconds: resetSeconds },
  )
}

/** The name without its folders and without characters that cannot be shown or stored. */
function baseName(fileName: string): string {
  return (fileName.split(/[/\\]/).at(-1) ?? '').replaceAll(/\p{C}/gu, '').slice(-200)
}
