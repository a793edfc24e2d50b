import { z } from 'zod'
import { ServiceError } from '../../../src/core/errors.ts'
import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { counted, shortened } from '../../../src/core/text.ts'
import { hasEnded, type JobWithOutputs, mediaInfoOf } from '../../../src/jobs/job-rows.ts'
import { findJobOnMedia, readJob, withResults } from '../../jobs/read.ts'
import { presentJob, presentMedia } from '../../jobs/schema.ts'
import { openWaveform } from '../../jobs/waveform.ts'
import { findOwnRun } from '../../runs/read.ts'
import { readUpload } from '../../uploads/routes.ts'
import { linksOf } from '../answers.ts'
import { defineTool, type KeyCall, lookUp } from '../define-tool.ts'

/** A tile is 2 kB. */
const maxTiles = 4
/** Of all lists together. */
const maxEntries = 1000
const maxTextLength = 80
const maxOutputs = 20

const place = z.object({ level: z.int().min(0).max(20), tile: z.int().min(0).max(1_000_000) })
const listed = z.object({ start: z.number(), end: z.number(), text: z.string().optional() })

export const readTimelineTool = defineTool({
  name: 'read_timeline',
  title: 'Draw a timeline',
  description: 'For the app alone.',
  auth: 'key',
  annotations: lookUp,
  app: 'called',
  input: strictFields({ job_id: z.string().max(100), tiles: z.array(place).max(maxTiles).optional() }),
  example: { job_id: 'job_…' },
  output: z.object({
    name: z.string().optional(),
    media_seconds: z.number().optional(),
    media_url: z.string().optional().describe('For further jobs. Left out for media of other hosts.'),
    studio_url: z.string().optional(),
    source: z.object({ url: z.string() }).optional().describe('Plays the media for an hour.'),
    outputs: z.array(z.object({ name: z.string(), url: z.string(), content_type: z.string() })),
    lists: z.array(z.object({ name: z.string(), total: z.int(), entries: z.array(listed) })),
    waveform: z
      .object({ job_id: z.string(), levels: z.array(z.object({ level: z.int(), tiles: z.int() })) })
      .optional(),
    tiles: z.array(place.extend({ data: z.string().describe('Peaks, then RMS, in base64.') })),
  }),
  run: async ({ job_id, tiles: places = [] }, call) => {
    if (places.length > 0) return answerTiles(call, job_id, places)
    const jobs = await jobsOf(call, job_id)
    const [last] = jobs.toReversed().filter(hasEnded)
    const ofMedia = await mediaOf(call, jobs)
    const lists = listsOf(jobs)
    const structured = {
      ...ofMedia,
      outputs: last ? await outputsOf(call, last) : [],
      lists,
      waveform: await waveformOf(call, jobs),
      tiles: [],
    }
    const text = `${counted(lists.length, 'list')}, for the app. Next: svc.get_job_result has the result as text.`
    return { structured, text }
  },
})

async function answerTiles({ context, credential }: KeyCall, jobId: string, places: readonly z.output<typeof place>[]) {
  const { tile: read } = await openWaveform(context, credential, jobId)
  const tiles = await Promise.all(
    places.map(async (each) => ({ ...each, data: (await read(each)).toString('base64') })),
  )
  return { structured: { outputs: [], lists: [], tiles }, text: counted(tiles.length, 'tile') }
}

/** The job, or those of the run, with their results. */
async function jobsOf(
  { context, credential: reader, signal }: KeyCall,
  id: string,
): Promise<readonly JobWithOutputs[]> {
  if (isId('run', id)) return (await withResults(context, await findOwnRun(context, reader, id))).jobs
  return [await readJob(context, { reader, jobId: id, waitSeconds: 0, signal })]
}

/** What the jobs read, and how it is played and cut further. */
async function mediaOf({ context, credential }: KeyCall, jobs: readonly JobWithOutputs[]) {
  const [first] = jobs
  const job = first && (await findJobOnMedia(context.db, credential, first))
  if (!job) return {}
  const { name, upload_id: uploadId } = presentMedia(job) ?? {}
  const known = { name, media_seconds: mediaInfoOf(job)?.durationSeconds }
  const upload =
    uploadId && (await readUpload(context, credential.accountId, uploadId).catch((error: unknown) => ifGone(error)))
  if (!upload) return known
  const source = 'playback' in upload ? { url: upload.playback.url } : undefined
  const studio_url = `${context.config.BASE_URL}/dashboard/studio/${upload.id}`
  return { ...known, media_url: upload.media_url, studio_url, source }
}

async function outputsOf({ context }: KeyCall, job: JobWithOutputs) {
  const links = linksOf(job, await presentJob(context, job))
  return links.slice(0, maxOutputs).map(({ name, url, contentType: content_type }) => ({ name, url, content_type }))
}

/** Of the first job that keeps one. */
async function waveformOf({ context, credential }: KeyCall, jobs: readonly JobWithOutputs[]) {
  for (const { id } of jobs) {
    const opened = await openWaveform(context, credential, id).catch((error: unknown) => ifGone(error))
    if (opened) return { job_id: id, levels: opened.levels.map(({ level, tiles }) => ({ level, tiles })) }
  }
  return undefined
}

function ifGone(error: unknown): undefined {
  if (error instanceof ServiceError && (error.code === 'not_found' || error.code === 'no_audio_track')) return undefined
  throw error
}

const texts = z.object({ text: z.string(), title: z.string(), query: z.string() }).partial()
const found = z.array(texts.extend({ start: z.number(), end: z.number() }))
const spoken = z.object({ sentences: found })

/** The lists with times in the results, up to `maxEntries` entries. */
function listsOf(jobs: readonly JobWithOutputs[]) {
  let room = maxEntries
  return jobs.flatMap(({ result }) => {
    const { transcript, ...others } = z.record(z.string(), z.unknown()).catch({}).parse(result)
    const { data: said } = spoken.safeParse(transcript)
    const named = said ? { ...others, sentences: said.sentences } : others
    return Object.entries(named).flatMap(([name, list]) => {
      const { data: all = [] } = found.safeParse(list)
      if (all.length === 0) return []
      const entries = all.slice(0, room).map(({ start, end, title, query, text = title ?? query }) => ({
        ...{ start, end },
        text: text && shortened(text, maxTextLength),
      }))
      room -= entries.length
      return [{ name, total: all.length, entries }]
    })
  })
}
