import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { editRateNames } from '../../src/core/edit-rate.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { idPattern, sentIdPattern } from '../../src/core/ids.ts'
import { describeIssues, strictFields } from '../../src/core/input-problems.ts'
import { contentDisposition } from '../../src/core/served-file.ts'
import { basesOf, pathUnder } from '../../src/core/urls.ts'
import { exportListNames } from '../../src/endpoints/catalog.ts'
import { exportPurposes } from '../../src/exports/export-document.ts'
import {
  annotationFormatNames,
  exportFormatNames,
  exportFormats,
  markerFormatNames,
} from '../../src/exports/export-formats.ts'
import { shortestChapterSeconds } from '../../src/exports/lists.ts'
import { markerColours } from '../../src/exports/markers.ts'
import { mediaPathPattern } from '../../src/exports/media-address.ts'
import { type Call, errorEnvelope, keyErrors, keyRoute } from '../http/route.ts'
import { jobParams } from '../jobs/schema.ts'
import { runParams } from '../runs/schema.ts'
import { type ExportedFile, type ExportInput, exportJob, exportRun } from './export-result.ts'

const formats = exportFormatNames.map((name) => `${name}: ${exportFormats[name].description}`).join('; ')

const maxOtherLists = markerColours.length - 1
const listOfJob = `${sentIdPattern('job').source.slice(1, -1)}(:[a-z]+)?`

const exportQuery = z.object({
  as: z
    .enum(exportFormatNames)
    .describe(
      `The format. ${formats}. A chapter has at least ${shortestChapterSeconds} seconds: an entry that begins less than that after a chapter, or before the end, gets no line.`,
    ),
  list: z
    .enum(exportListNames)
    .optional()
    .describe(
      'The list of the result. When left out, sentences for vtt and srt if the result has them, otherwise the first of these with entries.',
    ),
  what: z
    .enum(exportPurposes)
    .optional()
    .describe(
      'markers: the media stays whole, and has a marker for each entry, with its colour by what it is. cuts: the entries, one after another. When left out, markers for moments without a length, such as frames, and for several jobs; otherwise cuts.',
    ),
  jobs: z
    .string()
    .regex(
      new RegExp(`^${listOfJob}(,${listOfJob}){0,${maxOtherLists - 1}}$`),
      `expected up to ${maxOtherLists} job ids, separated by commas, each with a colon and a list if you want another than its first`,
    )
    .optional()
    .describe(
      `Up to ${maxOtherLists} further completed jobs on the same media, separated by commas, whose entries are markers in the same file, in colours of their own: job_1,job_2:silences. A colon names the list. For ${markerFormatNames.join(', ')}.`,
    ),
  fps: z
    .enum(editRateNames)
    .optional()
    .describe(
      'Frames a second of the timeline, for edl, fcpxml, xmeml and otio. When left out, that of the picture, a multiple of a slower one, or a part of a faster one, and 30 for sound alone.',
    ),
  media_path: z
    .string()
    .max(1000)
    .regex(mediaPathPattern, 'expected an absolute path or a URL')
    .optional()
    .describe(
      'Where you have the media, so that an editor finds it: an absolute path, such as /Volumes/Card/ or C:\\Film\\talk.mov, or a URL. A folder ends with a slash. For edl, fcpxml, xmeml, otio and ffmpeg.',
    ),
  reel: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,8}$/, 'expected up to 8 letters and digits')
    .optional()
    .describe('The reel name of the media, for edl, fcpxml, xmeml and otio. AX in an EDL when left out.'),
  record_start: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d[:;]\d{2}$/, 'expected a timecode such as 01:00:00:00')
    .optional()
    .describe(
      'The timecode with which the timeline begins, for edl, fcpxml, xmeml and otio. It counts as that of the media, if the media has one. When left out, 01:00:00:00 in an EDL, otherwise 0.',
    ),
  output_of: z
    .string()
    .meta({ pattern: idPattern('job', 'run').source })
    .optional()
    .describe(
      `The id of a completed job or run that cut one file from the same media, or from media that is exactly as long, such as the sound of a film: the times are then those of that file, and what it does not show is left out. For ${annotationFormatNames.join(', ')}. When left out, times of the source.`,
    ),
})

const warningHeader = 'x-export-warning'

const exportResponses = {
  ...keyErrors,
  200: {
    description: `The file. The header ${warningHeader} says what the program that reads it will not show, such as chapters that are too few for YouTube.`,
    content: Object.fromEntries(
      Object.values(exportFormats).map(({ contentType }) => [contentType, { schema: z.string() }]),
    ),
  },
  404: errorEnvelope,
  409: errorEnvelope,
}

/** `GET /v1/jobs/{job_id}/export` */
export const exportJobRoute = keyRoute({
  takesConnectors: true,
  method: 'GET',
  url: '/v1/jobs/:job_id/export',
  schema: {
    operationId: 'exportJob',
    tags: ['jobs'],
    summary: 'Export the times of a result for an editor, a player or a spreadsheet',
    description:
      'Returns a file with the entries of one list of the result, such as its ranges. Times of edits are whole frames, and begin at the timecode of the media if it has one. Editors ask for the media by its file name.',
    params: jobParams,
    querystring: exportQuery,
    response: exportResponses,
  },
  handler: async ({ params, query }, call) =>
    sendExport(call, () => exportJob(call.context, call.credential, params.job_id, inputOf(query))),
})

/** `GET /v1/workflow-runs/{run_id}/export` */
export const exportRunRoute = keyRoute({
  takesConnectors: true,
  method: 'GET',
  url: '/v1/workflow-runs/:run_id/export',
  schema: {
    operationId: 'exportWorkflowRun',
    tags: ['workflows'],
    summary: 'Export the times of a run for an editor, a player or a spreadsheet',
    description:
      'Returns the file that GET /v1/jobs/{job_id}/export returns for the last step whose result has the list, or any times, such as the ranges that remove-dead-space keeps. For their times in the file that the run made, send its own id as output_of.',
    params: runParams,
    querystring: exportQuery,
    response: exportResponses,
  },
  handler: async ({ params, query }, call) =>
    sendExport(call, () => exportRun(call.context, call.credential, params.run_id, inputOf(query))),
})

function inputOf({ as: format, fps: rate, output_of: outputOf, jobs, ...query }: Query): ExportInput {
  const { media_path: mediaPath, record_start: recordStart, ...rest } = query
  const others = jobs?.split(',').map((each) => {
    const [jobId = '', list] = each.split(':')
    return { jobId, list }
  })
  return { format, rate, outputOf, others, mediaPath, recordStart, ...rest }
}

type Query = z.output<typeof exportQuery>

const exportPath = /^\/v1\/(jobs|workflow-runs)\/(\w+)\/export$/

/** The file at the address of an export, for callers that cannot send requests. Throws `not_found` for other addresses. */
export async function exportAt(call: Call<'key'>, address: string): Promise<ExportedFile> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const [, of, id] = exportPath.exec((url && pathUnder(basesOf(call.context.config), url)) ?? '') ?? []
  if (!url || id === undefined)
    throw new ServiceError('not_found', 'Only the address of an export can be read, as results name it.')
  const query = strictFields(exportQuery.shape, { kind: 'parameter' }).safeParse(Object.fromEntries(url.searchParams))
  if (!query.success) throw new ServiceError('invalid_request', describeIssues(query.error.issues, 'query'))
  const write = of === 'jobs' ? exportJob : exportRun
  return writeInTurn(call, () => write(call.context, call.credential, id, inputOf(query.data)))
}

/** An account writes few exports at the same time. */
async function writeInTurn({ context, credential }: Call<'key'>, write: () => Promise<ExportedFile>) {
  const giveBack = context.exports.take(credential.accountId)
  return write().finally(giveBack)
}

type ExportCall = Call<'key'> & { readonly reply: Pick<FastifyReply, 'header' | 'serializer'> }

async function sendExport({ reply, ...call }: ExportCall, write: () => Promise<ExportedFile>): Promise<string> {
  const { fileName, contentType, text, warnings } = await writeInTurn(call, write)
  reply.header('content-disposition', contentDisposition(fileName))
  reply.header('content-type', `${contentType}; charset=utf-8`)
  if (warnings.length > 0) reply.header(warningHeader, warnings.join(' '))
  reply.serializer((body: string) => body)
  return text
}
