import { z } from 'zod'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { nearestName } from '../../src/core/nearest-name.ts'
import { nextCursor, pageCursor } from '../http/cursor.ts'
import { createdFilter, pageLimit } from '../http/pages.ts'
import { mediaName, requestId } from '../http/schemas.ts'

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
  },
  { placeOf: placeOfUploadField },
).meta({ id: 'UploadRequest', examples: [{ filename: 'interview.mp4', bytes: 1_048_576, content_type: 'video/mp4' }] })

export const registeredUpload = z.object({
  id: z.string(),
  name: z.string().describe('Name of the file, as jobs and their files will show it.'),
  media_url: z.url().describe('Create the job with it after the upload.'),
  content_type: z.string(),
  kept_until: z.iso.datetime().describe('The file is deleted after this time.'),
})

export const uploadSchema = registeredUpload.extend({
  upload_url: z.url().describe('Accepts the bytes once.'),
  upload_method: z.literal('PUT'),
  upload_headers: z.record(z.string(), z.string()).describe('Send these with the PUT.'),
  expires_in_seconds: z.int().describe('Of upload_url.'),
})

const uploadStatuses = ['waiting', 'received'] as const

/** An upload when it is read, alone or in lists. */
export const listedUpload = registeredUpload
  .extend({
    status: z.enum(uploadStatuses).describe('waiting: its bytes have not arrived. received: jobs can read it.'),
    bytes: z.int().optional().describe('Size of the file, once it is received.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Upload' })

export const readUploadEnvelope = z
  .object({ request_id: requestId, upload: listedUpload })
  .meta({ id: 'ReadUploadEnvelope' })

export const uploadParams = z.object({ upload_id: z.string().meta({ pattern: idPattern('upl').source }) })

export const uploadPage = z
  .object({
    request_id: requestId,
    uploads: z.array(listedUpload).describe('Newest first.'),
    next_cursor: nextCursor,
  })
  .meta({ id: 'UploadPage' })

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
export const receivedEnvelope = z
  .object({
    request_id: requestId,
    upload: registeredUpload.extend({ bytes: z.int() }),
  })
  .meta({ id: 'ReceivedUploadEnvelope' })

export const uploadEnvelope = z.object({ request_id: requestId, upload: uploadSchema }).meta({ id: 'UploadEnvelope' })
