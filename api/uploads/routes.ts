import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { idPattern, isId } from '../../src/core/ids.ts'
import { nearestName, strictFields } from '../../src/core/input-problems.ts'
import { eraseUpload } from '../../src/jobs/erase.ts'
import { deleteUpload, findUpload, listUploads, type Upload } from '../../src/uploads/uploads.ts'
import type { ApiContext } from '../http/context.ts'
import { answerDeletion, deletion } from '../http/deletion.ts'
import { metadata } from '../http/metadata.ts'
import { createdFilter, decodePosition, nextCursor, pageCursor, pageLimit, pageOf } from '../http/pages.ts'
import { bodyErrors, errorEnvelope, keyErrors, keyRoute, mediaName, publicRoute, response } from '../http/route.ts'
import { presentUpload, presignUpload } from './register.ts'

function placeOfUploadField(name: string): string | undefined {
  return nearestName(name, ['media_url', 'url']) !== undefined
    ? `${name}: media at a URL needs no upload. Send it as the media_url of a job`
    : undefined
}

export const uploadRequest = strictFields(
  {
    filename: z.string().min(1).max(1024).describe('Its extension can be any: jobs read the bytes.'),
    bytes: z
      .int()
      .min(0)
      .optional()
      .describe('Size of the file. The URL accepts no more. When left out, the upload counts as the maximum.'),
    content_type: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ pattern: String.raw`^\s*[\w.+-]+/[\w.+-]+\s*(;.*)?$` })
      .describe('Taken from the extension when left out. Jobs read the bytes: it only tells media from pictures.'),
    resumable: z
      .boolean()
      .optional()
      .describe('Whether upload_url takes the file in several PUTs, so that an upload can be resumed. Needs bytes.'),
    metadata: metadata.optional().describe('Texts of your own. Directives take uploads by them.'),
  },
  { placeOf: placeOfUploadField },
).meta({ id: 'UploadRequest', examples: [{ filename: 'interview.mp4', bytes: 1_048_576, content_type: 'video/mp4' }] })

export const registeredUpload = z.object({
  id: z.string(),
  name: z.string().describe('Name of the file, as jobs and their files will show it.'),
  media_url: z.url().describe('Create the job with it after the upload.'),
  content_type: z.string(),
  metadata: z.record(z.string(), z.string()).optional(),
  kept_until: z.iso.datetime().describe('The file is deleted after this time.'),
})

export const uploadSchema = registeredUpload.extend({
  upload_url: z.url().describe('Accepts the bytes once. Of a resumable upload, in several PUTs with Content-Range.'),
  upload_method: z.literal('PUT'),
  upload_headers: z.record(z.string(), z.string()).describe('Send these with the PUT.'),
  upload_page_url: z
    .url()
    .describe('A page on which a person chooses the file in place of a PUT, for an hour. It takes one file.'),
  expires_in_seconds: z.int().describe('Of upload_url.'),
  resumable: z.literal(true).optional(),
})

const uploadStatuses = ['waiting', 'received'] as const

/** An upload when it is read, alone or in lists. */
const listedUpload = registeredUpload
  .extend({
    status: z.enum(uploadStatuses).describe('waiting: its bytes have not arrived. received: jobs can read it.'),
    bytes: z.int().optional().describe('Size of the file, once it is received.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Upload' })

const readUploadEnvelope = response('ReadUploadEnvelope', {
  upload: listedUpload.extend({
    playback: z
      .object({ url: z.url(), expires_at: z.iso.datetime() })
      .optional()
      .describe('Serves the received file with ranges, for a player. Read the upload again for a new url.'),
  }),
})

const uploadParams = z.object({ upload_id: z.string().meta({ pattern: idPattern('upl').source }) })

const uploadPage = response('UploadPage', {
  uploads: z.array(listedUpload).describe('Newest first.'),
  next_cursor: nextCursor,
})

/** The filter of a list of uploads. */
export const uploadFilter = z.object({
  status: z
    .enum(uploadStatuses)
    .optional()
    .describe(
      'Only uploads with this status. All when left out. A page can then have fewer uploads than limit, or none, before the last one.',
    ),
  name: mediaName.optional().describe('The whole name of the file.'),
  ...createdFilter,
  cursor: pageCursor,
  limit: pageLimit,
})

/** An upload whose bytes have arrived. */
export const receivedEnvelope = response('ReceivedUploadEnvelope', {
  upload: registeredUpload.extend({ bytes: z.int() }),
})

const uploadEnvelope = response('UploadEnvelope', { upload: uploadSchema })

/** `POST /v1/uploads/presign` */
export const presignUploadRoute = keyRoute({
  method: 'POST',
  url: '/v1/uploads/presign',
  schema: {
    operationId: 'presignUpload',
    tags: ['uploads'],
    summary: 'Get a URL to upload a local file to',
    description: 'PUT the bytes to upload_url with upload_headers, then create a job with media_url.',
    body: uploadRequest,
    response: { ...bodyErrors, 200: uploadEnvelope },
  },
  handler: async (request, { context, credential }) => {
    const { accountId } = credential
    const { origin } = request.headers
    return { request_id: request.id, upload: await presignUpload(context, accountId, request.body, origin) }
  },
})

/** `GET /v1/uploads` */
export const listUploadsRoute = keyRoute({
  takesConnectors: true,
  method: 'GET',
  url: '/v1/uploads',
  schema: {
    operationId: 'listUploads',
    tags: ['uploads'],
    summary: 'List uploads, newest first',
    description: 'The uploads of the account that are not deleted, also those that no job has read.',
    querystring: uploadFilter,
    response: { ...keyErrors, 200: uploadPage },
  },
  handler: async (request, { context, credential }) => ({
    request_id: request.id,
    ...(await pageOfUploads(context, credential.accountId, request.query)),
  }),
})

/** `GET /v1/uploads/{upload_id}` */
export const readUploadRoute = keyRoute({
  takesConnectors: true,
  method: 'GET',
  url: '/v1/uploads/:upload_id',
  schema: {
    operationId: 'getUpload',
    tags: ['uploads'],
    summary: 'Read an upload',
    description: 'What the list of uploads has of it, such as whether its bytes have arrived, and where to play it.',
    params: uploadParams,
    response: { ...keyErrors, 200: readUploadEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, credential }) => ({
    request_id: request.id,
    upload: await readUpload(context, credential.accountId, request.params.upload_id),
  }),
})

/** `GET /v1/media/{upload_id}`: a media_url identifies an upload in job requests and serves no file. */
export const mediaRoute = publicRoute({
  method: 'GET',
  url: '/v1/media/:upload_id',
  schema: { hide: true },
  handler: async () => {
    throw new ServiceError(
      'not_found',
      'A media_url serves no file. Send it as the media_url of a job of the same account.',
    )
  },
})

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

/** An upload as lists have it, with an address at which it plays once it is received. Throws `not_found` if the account has no such upload. */
export async function readUpload(context: ReadContext, accountId: string, uploadId: string) {
  if (!isId('upl', uploadId))
    throw new ServiceError('not_found', 'The id of an upload begins with upl_. Check the path and the method.')
  const upload = await findUpload(context.db, accountId, uploadId)
  if (!upload) throw noSuchUpload()
  const listed = await presentListed(context, upload)
  if (listed.status === 'waiting') return listed
  const { objectKey: key, fileName, contentType } = upload
  const { url, expiresAt } = await context.storage.presignGet({
    ...{ key, fileName, contentType },
    expiresInSeconds: playbackSeconds,
  })
  return { ...listed, playback: { url, expires_at: expiresAt.toISOString() } }
}

const playbackSeconds = 3600

function noSuchUpload(): ServiceError {
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

/** `DELETE /v1/uploads/{upload_id}` */
export const deleteUploadRoute = keyRoute({
  method: 'DELETE',
  url: '/v1/uploads/:upload_id',
  schema: {
    operationId: 'deleteUpload',
    tags: ['uploads'],
    summary: 'Delete an uploaded file',
    description:
      'From the response on, its media_url means nothing and its upload_url accepts no bytes. Results of jobs that read it stay. Refused with 409 while an open job or run reads it.',
    params: uploadParams,
    response: { ...keyErrors, 200: deletion, 202: deletion, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { upload_id: id } = request.params
    const { accountId } = credential
    if (!isId('upl', id)) throw noSuchUpload()
    if (!(await context.createsByAccount(accountId, () => deleteUpload(context.db, accountId, id))))
      throw noSuchUpload()
    const erase = () => eraseUpload(context, id)
    const { code, body } = await answerDeletion(context, { requestId: request.id, id }, erase)
    return reply.code(code).send(body)
  },
})
