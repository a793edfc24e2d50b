import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { createKeyedQueue, type KeyedQueue } from '../../src/core/concurrency.ts'
import { invalidRequest, ServiceError } from '../../src/core/errors.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { defaultTrackOf, type MediaInfo } from '../../src/core/media.ts'
import { hourMs } from '../../src/core/time-code.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { parseSettings, resolveWindow, settingsDocument } from '../../src/endpoints/parse-settings.ts'
import { type Analysis, keptSound } from '../../src/jobs/analysis-rows.ts'
import { findJob, type Job, mediaInfoOf } from '../../src/jobs/job-rows.ts'
import {
  envelopeHeaderBytes,
  envelopeVersion,
  readEnvelopeHeader,
  stretchAround,
} from '../../src/media/sound/envelope.ts'
import { createEnvelopeCache } from '../../src/media/sound/envelope-cache.ts'
import {
  type CoarseWaveform,
  coarseTile,
  fineTile,
  isFine,
  levelsOf,
  readCoarseWaveform,
  tilePoints,
} from '../../src/media/sound/waveform-tiles.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { ApiContext, Waveforms } from '../http/context.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { bodyErrors, errorEnvelope, keyErrors, keyRoute, response } from '../http/route.ts'
import { assertJobId, noSuchJob } from './read.ts'
import { jobParams } from './schema.ts'
import { maxWarnings, warnOfUnknownSettings } from './validate.ts'

const trackQuery = z.object({
  track: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Index among the audio tracks. The default track when left out.'),
})

const waveform = response('Waveform', {
  job_id: z.string(),
  track: z.int(),
  start: z.number().describe('Of the first point, in seconds of the media.'),
  end: z.number(),
  version: z.string().describe('Of what the points were measured from. Send it with each tile.'),
  points_per_tile: z.int(),
  levels: z.array(z.object({ level: z.int(), ms_per_point: z.int(), tiles: z.int() })).describe('The finest first.'),
})

/** `GET /v1/jobs/{job_id}/waveform` */
export const waveformRoute = keyRoute({
  method: 'GET',
  url: '/v1/jobs/:job_id/waveform',
  schema: {
    operationId: 'getWaveform',
    tags: ['jobs'],
    summary: 'List the levels of detail of a waveform',
    description:
      'The waveform of the sound that a job searched, as tiles of several levels of detail, for drawing from a whole day down to a millisecond. Jobs on levels of sound keep it, such as audio/detect-silence.',
    params: jobParams,
    querystring: trackQuery,
    response: { ...keyErrors, 200: waveform, 404: errorEnvelope, 422: errorEnvelope },
  },
  handler: async ({ id, params, query }, { context, credential }) => {
    const { job, track, analysis } = await findKept(context, credential, params.job_id, query.track)
    const { startMs, endMs } = analysis
    return {
      ...{ request_id: id, job_id: job.id, track, start: startMs / 1000, end: endMs / 1000 },
      version: analysis.id,
      points_per_tile: tilePoints,
      levels: levelsOf(analysis),
    }
  },
})

const tileParams = jobParams.extend({
  level: z.coerce.number().int().min(0).max(20),
  tile: z.coerce.number().int().min(0).max(1_000_000),
})

/** `GET /v1/jobs/{job_id}/waveform/{level}/{tile}` */
export const waveformTileRoute = keyRoute({
  method: 'GET',
  url: '/v1/jobs/:job_id/waveform/:level/:tile',
  schema: {
    operationId: 'getWaveformTile',
    tags: ['jobs'],
    summary: 'Get a tile of a waveform',
    description:
      'A tile has 1,024 points: 1,024 bytes of peaks, then 1,024 bytes of RMS. 0 to 255 stand for -90 to 0 dBFS. With its version it never changes.',
    params: tileParams,
    querystring: trackQuery.extend({
      version: z
        .string()
        .max(100)
        .optional()
        .describe('Of GET /v1/jobs/{job_id}/waveform. Tiles of a version that is not kept any more are not found.'),
    }),
    response: {
      ...keyErrors,
      200: { description: 'The tile.', content: { 'application/octet-stream': { schema: z.instanceof(Buffer) } } },
      404: errorEnvelope,
      422: errorEnvelope,
    },
  },
  handler: async ({ params: { job_id, level, tile }, query }, { context, credential, reply }) => {
    const { job, analysis } = await findKept(context, credential, job_id, query.track)
    const found = levelsOf(analysis)[level]
    const isKept = query.version === undefined || query.version === analysis.id
    if (!found || tile >= found.tiles || !isKept)
      throw new ServiceError('not_found', `There is no such tile. GET /v1/jobs/${job_id}/waveform lists them.`)
    const bytes = await context.waveforms.tile(job.accountId, analysis, { level, tile })
    return reply
      .type('application/octet-stream')
      .header('cache-control', query.version === undefined ? 'no-store' : 'private, max-age=31536000, immutable')
      .send(bytes)
  },
})

const previewRequest = strictFields({
  settings: z.record(z.string(), z.unknown()).describe('The settings to change. Others stay those of the job.'),
}).meta({ id: 'PreviewRequest', examples: [{ settings: { threshold: -40 } }] })

const preview = response('JobPreview', {
  job_id: z.string(),
  settings: z.record(z.string(), z.unknown()).describe('All settings of the preview: a job with them has this result.'),
  result: z.record(z.string(), z.unknown()).describe('As the result of the endpoint, without files.'),
  warnings: z.array(z.string()),
})

/** `POST /v1/jobs/{job_id}/preview` */
export const previewRoute = keyRoute({
  method: 'POST',
  url: '/v1/jobs/:job_id/preview',
  schema: {
    operationId: 'previewJob',
    tags: ['jobs'],
    summary: 'Search the sound of a job again with other settings, free of charge',
    description:
      'Answers at once from the levels that the job measured: for trying thresholds and lengths before a job is created with them. Creates no job. For audio/detect-silence and audio/detect-energy, on up to 12 hours of sound over all tracks.',
    params: jobParams,
    body: previewRequest,
    response: { ...bodyErrors, 200: preview, 404: errorEnvelope, 422: errorEnvelope },
  },
  handler: async ({ id, params, body }, { context, credential, reply }) => ({
    request_id: id,
    job_id: params.job_id,
    ...(await previewJob(context, credential, {
      jobId: params.job_id,
      changed: body.settings,
      signal: abortOnDisconnect(reply),
    })),
  }),
})

type KeptContext = Pick<ApiContext, 'db' | 'waveforms'>

/** The waveform of the default track. Throws `not_found` if none is kept, or the reader cannot see the job. */
export async function openWaveform(context: KeptContext, reader: Credential, jobId: string) {
  const { job, analysis } = await findKept(context, reader, jobId, undefined)
  const levels = levelsOf(analysis)
  const tile = async ({ level, tile }: { readonly level: number; readonly tile: number }) => {
    if (tile >= (levels[level]?.tiles ?? 0)) throw new ServiceError('not_found', 'There is no such tile.')
    return context.waveforms.tile(job.accountId, analysis, { level, tile })
  }
  return { levels, tile }
}

interface PreviewInput {
  readonly jobId: string
  readonly changed: Readonly<Record<string, unknown>>
  /** Aborts when the client disconnects, as pages do that ask again while a slider moves. */
  readonly signal: AbortSignal
}

/** Answers other settings from the envelopes that the job, or another on the same media, left. */
async function previewJob(context: KeptContext, credential: Credential, { jobId, changed, signal }: PreviewInput) {
  const { job, info } = await findListened(context, credential, jobId)
  const endpoint = liveEndpoint(job.endpoint)
  if (!endpoint.readsMedia || !endpoint.searchAgain)
    throw invalidRequest(`${job.endpoint} has no preview. audio/detect-silence and audio/detect-energy have one.`)
  const { searchAgain } = endpoint
  const warnings = warnOfUnknownSettings(Object.keys(changed), Object.keys(endpoint.settings.shape))
  const settings = parseSettings(endpoint, { ...settingsDocument.parse(job.settings), ...changed })
  const problem = endpoint.validate(job, settings)
  if (problem) throw invalidRequest(problem)
  let milliseconds = 0
  const result = await context.waveforms.search(job.accountId, async () => {
    if (signal.aborted) throw invalidRequest('The client left before its turn.')
    return searchAgain({
      ...{ info, settings, window: job },
      envelopes: {
        get: async ({ track }) => {
          const analysis = await keptSound(context.db, job, wholeSound(job, info, track.index))
          milliseconds += analysis.endMs - analysis.startMs
          if (milliseconds > maxPreviewMs)
            throw new ServiceError(
              'media_too_large',
              'A preview searches at most 12 hours of sound. Create a job instead.',
            )
          return { envelope: await context.waveforms.envelope(analysis), analysis: 'reused' }
        },
      },
    })
  })
  return { settings, result: { ...result }, warnings: [...endpoint.warn(settings), ...warnings].slice(0, maxWarnings) }
}

/** A completed job that listened to media. */
async function findListened({ db }: KeptContext, credential: Credential, jobId: string) {
  const job = await findJob(db, credential, assertJobId(jobId))
  if (!job) throw noSuchJob()
  const info = mediaInfoOf(job)
  if (job.status === 'completed' && info) return { job, info }
  throw new ServiceError('not_found', `This job is ${job.status}, and keeps no levels of sound.`, { jobId })
}

async function findKept(context: KeptContext, credential: Credential, jobId: string, asked: number | undefined) {
  const { job, info } = await findListened(context, credential, jobId)
  if (info.audio.length === 0) throw new ServiceError('no_audio_track')
  const track = asked ?? defaultTrackOf(info)
  return { job, track, analysis: await findKeptSound(context, job, info, track) }
}

/** The levels of what the job heard of a track, as it or another job on the media measured them. Throws `not_found` if they are not kept. */
export async function findKeptSound(
  { db }: Pick<KeptContext, 'db'>,
  job: Job,
  info: MediaInfo,
  track: number,
): Promise<Analysis> {
  return keptSound(db, job, wholeSound(job, info, track))
}

function wholeSound(job: Job, info: MediaInfo, trackIndex: number) {
  return { ...stretchAround(resolveWindow(job, info.durationSeconds)), format: envelopeVersion, trackIndex }
}

/** 12 hours take 100 MB of memory. */
const maxPreviewMs = 12 * hourMs
const maxEnvelopeBytes = 112 * 2 ** 20
const maxCoarseBytes = 32 * 2 ** 20

export function createWaveforms(storage: Pick<Storage, 'read'>, inTurn: KeyedQueue): Waveforms {
  const envelopes = createEnvelopeCache(storage, maxEnvelopeBytes)
  const storedOf = async ({ objectKey, startMs, endMs }: Analysis) => {
    const read = (start?: number, end?: number) =>
      storage.read(objectKey, { ...(start !== undefined && { start }), ...(end !== undefined && { end }) })
    const header = Buffer.concat(await (await read(0, envelopeHeaderBytes - 1)).toArray())
    return { startMs, endMs, sampleRate: readEnvelopeHeader(header).sampleRate, read }
  }
  const coarse = new LRUCache<string, CoarseWaveform, Analysis>({
    maxSize: maxCoarseBytes,
    sizeCalculation: ({ peaks, squares }) => peaks.byteLength + squares.byteLength,
    fetchMethod: async (_key, _stale, { context }) => readCoarseWaveform(await storedOf(context)),
    ignoreFetchAbort: true,
  })
  // They are free, so other requests have at least half of the time.
  const oneAtATime = createKeyedQueue({ restForWork: 1 })
  return {
    envelope: ({ objectKey }) => envelopes.forceFetch(objectKey),
    search: (accountId, work) => inTurn(`preview ${accountId}`, () => oneAtATime('', work)),
    tile: async (accountId, analysis, { level, tile }) => {
      if (isFine(level)) return fineTile(await storedOf(analysis), level, tile)
      const found = await inTurn(`waveform ${accountId}`, () =>
        coarse.forceFetch(analysis.objectKey, { context: analysis }),
      )
      return coarseTile(found, level, tile)
    },
  }
}
