import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { presignUpload } from '../../uploads/presign.ts'
import { uploadRequest, uploadSchema } from '../../uploads/schema.ts'
import { add, defineTool } from '../define-tool.ts'

export const createUploadTool = defineTool({
  name: 'create_upload',
  title: 'Get a URL to upload a local file to',
  description:
    'For media without a URL: returns an upload_url for one PUT, and the media_url for jobs after the upload. Media with a URL needs no upload.',
  auth: 'key',
  annotations: add,
  input: strictFields(uploadRequest.shape),
  output: z.object({ upload: uploadSchema }),
  run: async (request, { context, credential }) => {
    const upload = await presignUpload(context, credential.accountId, request)
    return {
      structured: { upload },
      text: `PUT the bytes to ${upload.upload_url} with the headers ${JSON.stringify(upload.upload_headers)} within ${upload.expires_in_seconds} seconds. Next: svc.check_job_readiness or svc.create_job with media_url ${upload.media_url}.`,
    }
  },
})
