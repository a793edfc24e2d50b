import { create } from 'content-disposition'
import { z } from 'zod'
import { editRateNames } from '../../src/exports/edit-rate.ts'
import { exportListNames } from '../../src/exports/export-entries.ts'
import { exportFormatNames, exportFormats } from '../../src/exports/export-formats.ts'
import { keyRoute } from '../http/route.ts'
import { errorEnvelope, keyErrors } from '../http/schemas.ts'
import { jobParams } from '../jobs/schema.ts'
import { exportJob } from './export-job.ts'

const formats = exportFormatNames.map((name) => `${name}: ${exportFormats[name].description}`).join('; ')

const exportQuery = z.object({
  as: z.enum(exportFormatNames).describe(`The format. ${formats}.`),
  list: z
    .enum(exportListNames)
    .optional()
    .describe(
      'The list of the result. When left out, sentences for vtt and srt if the result has them, otherwise the first of these with entries.',
    ),
  fps: z
    .enum(editRateNames)
    .optional()
    .describe(
      'Frames a second of the timeline, for edl, fcpxml, xmeml and otio. When left out, the rate of editors that is nearest to the average rate of the picture, or 30 for sound alone.',
    ),
})

/** `GET /v1/jobs/{job_id}/export` */
export const exportJobRoute = keyRoute({
  method: 'GET',
  url: '/v1/jobs/:job_id/export',
  schema: {
    operationId: 'exportJob',
    tags: ['jobs'],
    summary: 'Export the times of a result for an editor, a player or a spreadsheet',
    description:
      'Returns a file with the entries of one list of the result, such as its ranges. Times of edits are whole frames, and begin at the timecode of the media if it has one. Editors ask for the media by its file name.',
    security: [{ ApiKey: [] }],
    params: jobParams,
    querystring: exportQuery,
    response: {
      ...keyErrors,
      200: { description: 'The file.', content: { '*/*': { schema: z.string() } } },
      404: errorEnvelope,
      409: errorEnvelope,
    },
  },
  handler: async (request, { context, credential, reply }) => {
    const { as: format, list, fps: rate } = request.query
    const { job_id: jobId } = request.params
    // A client that reads slowly keeps the file in memory.
    reply.raw.once('close', context.exports.take(credential.accountId))
    const file = await exportJob(context, { reader: credential, jobId, format, list, rate })
    reply.header('content-disposition', create(file.fileName)).type(`${file.contentType}; charset=utf-8`)
    reply.serializer((text: string) => text)
    return file.text
  },
})
