import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { counted, quoted } from '../../../src/core/text.ts'
import { presignUpload } from '../../uploads/register.ts'
import { pageOfUploads, uploadFilter, uploadRequest, uploadSchema } from '../../uploads/routes.ts'
import { add, defineTool, lookUp, pageLimitArgument } from '../define-tool.ts'

const { status, name, created_after, created_before, cursor } = uploadFilter.shape
const { filename, bytes, content_type, resumable } = uploadRequest.shape

export const listUploadsTool = defineTool({
  name: 'list_uploads',
  title: 'List uploaded files',
  description:
    'Lists the files that were uploaded to the account, newest first, each with the media_url for jobs. Use it to find a file again by its name.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({
    status: status.describe('waiting: no bytes yet. A page can have fewer than limit.'),
    name,
    created_after,
    created_before,
    cursor,
    limit: pageLimitArgument,
  }),
  example: { limit: 5 },
  output: z.object({
    uploads: z.array(z.looseObject({ id: z.string(), media_url: z.string() })),
    next_cursor: z.string().optional(),
  }),
  run: async (query, { context, credential }) => {
    const page = await pageOfUploads(context, credential.accountId, query)
    const lines = page.uploads.map((upload) => {
      const received = upload.status === 'received' ? `${upload.bytes} bytes` : 'its bytes have not arrived'
      return `- ${upload.id}: ${quoted(upload.name)}, ${received}, ${upload.created_at}, media_url ${upload.media_url}`
    })
    const more = page.next_cursor === undefined ? '' : ` For more, send cursor ${page.next_cursor}.`
    const text = `${counted(page.uploads.length, 'upload')}.${more} Next: svc.check_job_readiness or svc.create_job with a media_url. To delete one: DELETE /v1/uploads/{id}, over HTTP with an API key.`
    return { structured: page, text: [...lines, text].join('\n') }
  },
})

export const createUploadTool = defineTool({
  name: 'create_upload',
  title: 'Get a URL to upload a local file to',
  description:
    'For media without a URL: returns an upload_url for one PUT, upload_page_url for the user to choose the file in a browser, and the media_url for jobs afterwards.',
  auth: 'key',
  annotations: add,
  // Every client reads the list of tools: the route says more.
  input: strictFields({
    ...uploadRequest.shape,
    filename: filename.meta({ description: undefined }),
    bytes: bytes.describe('Size of the file.'),
    content_type: content_type.describe('Taken from the extension when left out.'),
    resumable: resumable.describe('For several PUTs. Needs bytes.'),
  }),
  example: { filename: 'interview.mp4' },
  output: z.object({ upload: uploadSchema }),
  run: async (request, { context, credential }) => {
    const upload = await presignUpload(context, credential.accountId, request)
    const parts = upload.resumable
      ? ` Each PUT also has content-range "bytes FIRST-LAST/${request.bytes}"; all but the last send a multiple of 262144 bytes, and are answered with 308.`
      : ''
    return {
      structured: { upload },
      text: `PUT the bytes to ${upload.upload_url} with the headers ${JSON.stringify(upload.upload_headers)} within ${upload.expires_in_seconds} seconds.${parts} If you cannot, give the user this link, on which they choose the file within an hour: ${upload.upload_page_url} (svc.list_uploads then says received). Next: svc.check_job_readiness or svc.create_job with media_url ${upload.media_url}.`,
    }
  },
})
