import type { ApiContext, App, CredentialOf } from '../context.ts'
import { presignUpload } from '../presign-upload.ts'
import { bodyErrors } from '../schemas/errors.ts'
import { uploadEnvelope, uploadRequest } from '../schemas/upload.ts'

/** `POST /v1/uploads/presign` */
export function presignUploadRoute(app: App, context: ApiContext, credentialOf: CredentialOf): void {
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
      return { request_id: request.id, upload: await presignUpload(context, accountId, request.body) }
    },
  })
}
