import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { describeExcess } from '../../src/core/text.ts'
import { daySeconds } from '../../src/core/time-code.ts'
import { sessionSeconds } from '../../src/uploads/storage-limits.ts'
import { readUploadLink, type UploadLink } from '../../src/uploads/upload-links.ts'
import { endWithSession, findOpenUpload, keepUploadUntil, type Upload } from '../../src/uploads/uploads.ts'
import type { ApiContext, App } from '../http/context.ts'
import { guardLinkedPages, linkedErrors, sendLinkedPage } from '../http/linked-pages.ts'
import { createUploadClaims } from './register.ts'

const params = z.object({ token: z.string() })
const schema = { hide: true, params }

const sessionRequest = strictFields({ bytes: z.int().min(1).describe('Size of the file.') })

/**
 * The page of an upload, on which a person sends the file that a program or an assistant asked for: `/u/{token}`, what it says as JSON,
 * and where it sends the file. Its link ends when the file has arrived, with the upload, and with its time.
 */
export async function uploadPageRoutes(app: App, context: ApiContext): Promise<void> {
  const { config, db, storage } = context
  const claims = createUploadClaims(context)
  guardLinkedPages(app, context, 'upload links')

  const open = async (token: string): Promise<UploadLink & { readonly upload: Upload }> => {
    const link = readUploadLink(config, token)
    const upload = link && isId('upl', link.uploadId) ? await findOpenUpload(db, link.uploadId) : null
    if (!link || !upload || (await storage.stat(upload.objectKey))) throw noSuchLink()
    return { ...link, upload }
  }

  const asPage = { schema, errorHandler: linkedErrors(config, 'Nothing to upload') }
  app.get('/u/:token', asPage, async ({ params: { token } }, reply) => {
    await open(token)
    return sendLinkedPage(reply, context)
  })

  app.get('/u/:token.json', { schema }, async (request) => {
    const { upload, maxBytes, expiresAt } = await open(request.params.token)
    const wanted = { name: upload.fileName, max_bytes: maxBytes, expires_at: expiresAt.toISOString() }
    return { request_id: request.id, upload: wanted }
  })

  app.post('/u/:token/session', { schema: { ...schema, body: sessionRequest } }, async (request) => {
    const { upload, maxBytes } = await open(request.params.token)
    const { bytes } = request.body
    if (bytes > maxBytes)
      throw new ServiceError(
        'payload_too_large',
        `${describeExcess('The file', bytes, maxBytes)} Choose a smaller file.`,
      )
    return { request_id: request.id, upload: await openSession(upload, bytes, request.headers.origin) }
  })

  /** A session for a file in parts, in place of earlier ones, whose parts may be of another file. */
  async function openSession({ id, objectKey: key, contentType }: Upload, bytes: number, origin?: string) {
    const claim = await claims.claim(key, bytes, { session: 'next' })
    try {
      if (await storage.stat(key)) throw noSuchLink()
      if (storage.parts) {
        await storage.parts.discard(key)
        await endWithSession(db, id)
      } else {
        // Other storage completes the object itself, as long as its session lasts.
        await keepUploadUntil(db, id, new Date(Date.now() + (sessionSeconds + daySeconds) * 1000))
      }
      const { session } = claim
      const input = { key, contentType, maxBytes: bytes, expiresInSeconds: sessionSeconds, origin, session }
      const { url } = await storage.presignSession(input)
      return { upload_url: url, upload_headers: { 'content-type': contentType } }
    } finally {
      await claim.release()
    }
  }
}

function noSuchLink(): ServiceError {
  return new ServiceError('not_found', 'This link is wrong, has expired, or its file has arrived. Ask for another one.')
}
