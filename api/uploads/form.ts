import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { describeExcess } from '../../src/core/text.ts'
import { ObjectExistsError, type ObjectInfo } from '../../src/storage/storage.ts'
import { forgetRefusedUpload, uploadIdleSeconds } from '../../src/uploads/uploads.ts'
import { scopes } from '../http/authenticate.ts'
import { allowLongBody, limitBody } from '../http/connection-limits.ts'
import type { ApiContext, App } from '../http/context.ts'
import { bodyErrors, errorEnvelope, keyRoute } from '../http/route.ts'
import { alreadyThere, createDiscardRest, interruptedOr, limitedUpload } from './receive-object.ts'
import { createUploadClaims, registerUpload, type UploadClaims } from './register.ts'
import { receivedEnvelope } from './routes.ts'

/** An API process receives these itself, whatever the storage. Larger files go to a signed URL. */
const maxFormBytes = 100 * 1024 ** 2
/** Boundaries and headers around the file. */
const maxFormOverhead = 16 * 1024

/** The body of a form with one file. It arrives while the handler reads it, so nothing of it is validated before. */
const uploadForm = z.any().meta({
  id: 'UploadForm',
  type: 'object',
  properties: { file: { type: 'string', format: 'binary', description: 'The file, with its name.' } },
  required: ['file'],
  additionalProperties: false,
})

const how = 'Send one file as multipart/form-data and nothing else, such as: curl -F file=@talk.mp3'

/** `POST /v1/uploads`, in a scope of its own, because only this route reads forms with files. */
export async function uploadFormRoutes(app: App, context: ApiContext): Promise<void> {
  const claims = createUploadClaims(context)
  await app.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: maxFormBytes + 1 } })
  // Replaces the advice of the other paths, which is to send JSON.
  app.addContentTypeParser('*', (_request, _body, done) => done(new ServiceError('unsupported_content_type', how)))
  const callerOf = scopes.key(app, context)
  const discardRest = createDiscardRest()
  app.addHook('onError', async ({ raw }) => {
    raw.unpipe()
    limitBody(raw)
    discardRest(raw)
  })
  uploadRoute(claims).register(app, context, callerOf)
}

const uploadRoute = (claims: UploadClaims) =>
  keyRoute({
    method: 'POST',
    url: '/v1/uploads',
    schema: {
      operationId: 'uploadFile',
      tags: ['uploads'],
      summary: 'Upload a small file in one request',
      description:
        'The body is a form with one file of at most 100 MiB. Create the job with the media_url of the response. Larger files go to the URL of POST /v1/uploads/presign.',
      consumes: ['multipart/form-data'],
      body: uploadForm,
      response: { ...bodyErrors, 200: receivedEnvelope, 409: errorEnvelope },
    },
    handler: async (request, { context, credential }) => ({
      request_id: request.id,
      upload: await receiveUpload(context, claims, credential.accountId, request),
    }),
  })

interface FormFile extends Pick<MultipartFile, 'filename' | 'mimetype'> {
  readonly bytes: AsyncIterable<Buffer>
}

async function receiveUpload(
  context: ApiContext,
  claims: UploadClaims,
  accountId: string,
  request: FastifyRequest,
): Promise<z.output<typeof receivedEnvelope>['upload']> {
  const { headers } = request.raw
  if (!request.isMultipart()) throw new ServiceError('unsupported_content_type', how)
  const largest = Math.min(maxFormBytes, context.config.MAX_UPLOAD_BYTES)
  const declared = Number(headers['content-length'] ?? 0)
  if (declared > largest + maxFormOverhead) throw tooLarge(largest, declared)
  request.raw.setTimeout(uploadIdleSeconds * 1000)
  const parts = request.parts()
  const first = await parts.next().catch(refuseForm)
  if (first.done || first.value.type !== 'file') throw new ServiceError('invalid_request', how)
  allowLongBody(request.raw)
  const { mimetype } = first.value
  const filename = unescaped(first.value.filename)
  const file = { filename, mimetype, bytes: bytesOfOnly(request.raw, first.value, parts) }
  return storePart(context, claims, accountId, file, { largest, declared }).catch((error: unknown) => {
    throw interruptedOr(error, request.raw)
  })
}

/** The name with what browsers write in place of quotes and line breaks (HTML, "Multipart form data"). */
function unescaped(filename: string): string {
  return filename.replaceAll(/%(?:22|0A|0D)/g, decodeURIComponent)
}

/**
 * Throws at the end of the file if another part follows, so that nothing is stored. The file may take as long as an upload; what is
 * before and after it has the time of any other body.
 */
async function* bytesOfOnly(
  raw: IncomingMessage,
  { file }: MultipartFile,
  parts: AsyncIterator<Multipart>,
): AsyncGenerator<Buffer> {
  try {
    yield* file.iterator({ destroyOnReturn: false })
  } catch (cause) {
    // The whole body has arrived, but the boundary after the file is missing.
    if (raw.complete) refuseForm(cause)
    throw cause
  }
  limitBody(raw)
  const { done } = await parts.next().catch(refuseForm)
  if (!done) throw new ServiceError('invalid_request', how)
}

async function storePart(
  context: ApiContext,
  claims: UploadClaims,
  accountId: string,
  { filename, mimetype, bytes: received }: FormFile,
  { largest, declared }: { readonly largest: number; readonly declared: number },
) {
  const { db, storage } = context
  // The form is a little larger than its file.
  const bytes = Math.min(declared, largest)
  const named = { fileName: filename, contentType: /\.\w+$/.test(filename) ? undefined : mimetype, bytes }
  const { id, key, contentType, maxBytes, presented } = await registerUpload(context, accountId, named, largest)
  try {
    const claim = await claims.claim(key, maxBytes)
    let stored: ObjectInfo | undefined
    try {
      const body = limitedUpload(received, maxBytes, claim)
      stored = await storage.create(key, Readable.from(body), contentType)
      return { ...presented, bytes: stored.bytes }
    } finally {
      await claim.release(stored?.bytes)
    }
  } catch (error) {
    await forgetRefusedUpload(db, id)
    throw error instanceof ObjectExistsError ? alreadyThere(error) : error
  }
}

function refuseForm(cause: unknown): never {
  throw new ServiceError('invalid_request', how, { cause })
}

function tooLarge(limit: number, bytes: number): ServiceError {
  const advice = 'Send larger files to the URL of POST /v1/uploads/presign.'
  return new ServiceError('payload_too_large', `${describeExcess('The form', bytes, limit)} ${advice}`)
}
