import { ServiceError } from '../../src/core/errors.ts'
import { keyRoute, publicRoute } from '../http/route.ts'
import { bodyErrors, errorEnvelope, keyErrors } from '../http/schemas.ts'
import { presignUpload } from './presign.ts'
import { pageOfUploads, readUpload } from './read.ts'
import { readUploadEnvelope, uploadEnvelope, uploadFilter, uploadPage, uploadParams, uploadRequest } from './schema.ts'

/** `POST /v1/uploads/presign` */
export const presignUploadRoute = keyRoute({
  method: 'POST',
  url: '/v1/uploads/presign',
  schema: {
    operationId: 'presignUpload',
    tags: ['uploads'],
    summary: 'Get a URL to upload a local file to',
    description: 'PUT the bytes to upload_url with upload_headers, then create a job with media_url.',
    security: [{ ApiKey: [] }],
    body: uploadRequest,
    response: { ...bodyErrors, 200: uploadEnvelope, 403: errorEnvelope },
  },
  handler: async (request, { context, credential }) => {
    const { accountId } = credential
    return { request_id: request.id, upload: await presignUpload(context, accountId, request.body) }
  },
})

/** `GET /v1/uploads` */
export const listUploadsRoute = keyRoute({
  method: 'GET',
  url: '/v1/uploads',
  schema: {
    operationId: 'listUploads',
    tags: ['uploads'],
    summary: 'List uploads, newest first',
    description: 'The uploads of the account that are not deleted, also those that no job has read.',
    security: [{ ApiKey: [] }],
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
  method: 'GET',
  url: '/v1/uploads/:upload_id',
  schema: {
    operationId: 'getUpload',
    tags: ['uploads'],
    summary: 'Read an upload',
    description: 'What the list of uploads has of it, such as whether its bytes have arrived.',
    security: [{ ApiKey: [] }],
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
