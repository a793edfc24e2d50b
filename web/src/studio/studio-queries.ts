import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { api, jsonOf, resultOf } from '../api/client.ts'
import { isOpen } from '../api/is-open.ts'
import { unlessLive } from '../api/live.ts'
import { type Job, jobQuery, jobsOnMediaQuery, uploadQuery } from '../api/queries.ts'
import { madeFor } from '../components/work-title.ts'
import type { PauseSettings } from './editor.ts'
import type { Span } from './spans.ts'

export interface Word extends Span {
  readonly text: string
  readonly confidence: number
}

/** A list of thousands of items: checked, but not copied. */
function listOf<Item>(fields: Readonly<Record<keyof Item & string, 'number' | 'string'>>) {
  const types = Object.entries(fields)
  const isItem = (item: Record<string, unknown> | null) => types.every(([name, type]) => typeof item?.[name] === type)
  return z.custom<readonly Item[]>((list) => Array.isArray(list) && list.every(isItem))
}

/** What the studio reads of a result of audio/detect-silence. */
export const silenceResult = z.object({
  silences: listOf<Span>({ start: 'number', end: 'number' }),
  threshold_db: z.number(),
})

const words = listOf<Word>({ text: 'string', start: 'number', end: 'number', confidence: 'number' })

/** What the studio reads of a result of audio/find-words. More than 20,000 words are in its file alone. */
export const wordsResult = z.object({
  transcript: z.object({ words }),
  outputs: z.optional(z.array(z.object({ name: z.string(), url: z.string(), download_url: z.string() }))),
})

const wordsFile = z.object({ words })

/** What the studio reads of a result of video/clip-window. */
export const clipResult = z.object({
  output: z.object({
    name: z.string(),
    url: z.string(),
    download_url: z.string(),
    bytes: z.number(),
    duration: z.optional(z.nullable(z.number())),
    expires_at: z.string(),
  }),
  receipt: z.object({ drift_ms: z.number(), audio_video_offset_ms: z.nullable(z.number()) }),
})

export function wordsQuery(jobId: string, url: string | undefined) {
  return queryOptions({
    queryKey: ['words', jobId],
    enabled: url !== undefined,
    queryFn: async () => wordsFile.parse(await jsonOf(fetch(url ?? ''))).words,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function waveformQuery(jobId: string) {
  return queryOptions({
    queryKey: ['waveform', jobId],
    queryFn: async () => {
      const request = api.GET('/v1/jobs/{job_id}/waveform', { params: { path: { job_id: jobId } } })
      const { levels, version } = await resultOf(request)
      // With it, the first drawing has a waveform.
      const coarsest = await readTile({ jobId, version }, levels.length - 1, 0).catch(() => undefined)
      return { levels, version, coarsest }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export async function readTile(
  { jobId, version }: { readonly jobId: string; readonly version: string },
  level: number,
  tile: number,
): Promise<Uint8Array> {
  const params = { path: { job_id: jobId, level, tile }, query: { version } }
  const request = api.GET('/v1/jobs/{job_id}/waveform/{level}/{tile}', { params, parseAs: 'arrayBuffer' })
  return new Uint8Array(await resultOf(request))
}

/** The pauses by other settings, from the levels that the job measured. Costs nothing. */
export function previewQuery(jobId: string, { thresholdDb, minSeconds }: PauseSettings, isNeeded: boolean) {
  return queryOptions({
    queryKey: ['preview', jobId, thresholdDb, minSeconds],
    enabled: isNeeded,
    queryFn: async ({ signal }) => {
      const body = { settings: { threshold: thresholdDb, min_silence_seconds: minSeconds } }
      const params = { path: { job_id: jobId } }
      const { result } = await resultOf(api.POST('/v1/jobs/{job_id}/preview', { params, body, signal }))
      return silenceResult.parse(result).silences
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

export type EstimateRequest = NonNullable<Parameters<typeof estimate>[0]>

function estimate(body: {
  endpoint: 'audio/detect-silence' | 'audio/find-words' | 'audio/semantic-chunks' | 'video/clip-window'
  media_seconds?: number
  media_url?: string
  start?: number
  end?: number
  settings?: Record<string, unknown>
}) {
  return resultOf(api.POST('/v1/estimate', { body }))
}

export function estimateQuery(body: EstimateRequest, isNeeded = true) {
  return queryOptions({
    queryKey: ['estimate', body],
    enabled: isNeeded,
    queryFn: async () => (await estimate(body)).estimated_price_usd,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

/** How long an upload is, as its jobs are billed. Browsers may find another length. */
export function lengthQuery(mediaUrl: string, isNeeded: boolean) {
  return queryOptions({
    queryKey: ['length', mediaUrl],
    enabled: isNeeded,
    queryFn: async () =>
      (await estimate({ endpoint: 'video/clip-window', media_url: mediaUrl, start: 0 })).media_seconds ?? 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The most that a job costs: what the button said, if it knew the price. */
export function atMost(usd: number | undefined): { max_price_usd?: number } {
  return usd === undefined ? {} : { max_price_usd: usd }
}

const finderSettings = {
  // Between the noise of the recording and its speech.
  'audio/detect-silence': { threshold: 'auto', min_silence_seconds: 0.5 },
  'audio/find-words': {},
}

/** Starts a job on all of the media. */
export async function startFinder(endpoint: Finder, mediaUrl: string, maxUsd: number | undefined): Promise<Job> {
  const body = { endpoint, media_url: mediaUrl, settings: finderSettings[endpoint], ...atMost(maxUsd) }
  return (await resultOf(api.POST('/v1/jobs', { body }))).job
}

export async function startCut(mediaUrl: string, ranges: Span[], maxUsd: number | undefined): Promise<Job> {
  const asked = { endpoint: 'video/clip-window' as const, media_url: mediaUrl, settings: { ranges } }
  const body = { ...asked, metadata: cutMarks(ranges), ...atMost(maxUsd) }
  return (await resultOf(api.POST('/v1/jobs', { body }))).job
}

const cutSettings = z.object({ ranges: listOf<Span>({ start: 'number', end: 'number' }) })

/** Whether a job cuts the file of these ranges, or has cut it and the file is still there. */
export function isCutOf(job: Job, ranges: readonly Span[]): boolean {
  const cut = cutSettings.safeParse(job.settings).data?.ranges
  const isThere = isOpen(job) || clipResult.safeParse(job.result).success
  if (!isThere || cut?.length !== ranges.length) return false
  return cut.every(({ start, end }, index) => start === ranges[index]?.start && end === ranges[index]?.end)
}

/** The metadata by which what was paid for is found again. */
export type Marks = Record<string, string>

/** Lists of jobs leave settings out. Other ranges can have the same mark: `isCutOf` compares them. */
function cutMarks(ranges: readonly Span[]): Marks {
  let hash = 0x811c9dc5
  for (const { start, end } of ranges)
    for (const time of [start, end]) hash = Math.imul(hash ^ Math.round(time * 1000), 0x01000193)
  return { cut_into: (hash >>> 0).toString(16) }
}

const playback: Marks = { [madeFor]: 'playback' }

export type CopySettings = ReturnType<typeof copySettings>

/** A small copy of the whole media. WebM keeps what has more than 8 bits a colour playable, but takes longer. */
export function copySettings(format: 'm4a' | 'mp4' | 'webm') {
  if (format === 'm4a') return { format, audio_only: true }
  return { format, height: 540, quality: 'fast' as const }
}

export async function startCopy(mediaUrl: string, settings: CopySettings, maxUsd: number | undefined): Promise<Job> {
  const asked = { endpoint: 'video/clip-window' as const, media_url: mediaUrl, start: 0, settings }
  const body = { ...asked, metadata: playback, ...atMost(maxUsd) }
  return (await resultOf(api.POST('/v1/jobs', { body }))).job
}

/** The newest job on an upload that is open or completed; if all have failed, the newest of these. */
function newest(jobs: readonly Job[], uploadId: string, isMeant: (job: Job) => boolean): Job | undefined {
  const meant = jobs.filter((job) => job.media?.upload_id === uploadId && isMeant(job))
  return meant.find(({ status }) => status !== 'failed') ?? meant[0]
}

type Finder = 'audio/detect-silence' | 'audio/find-words'

function isOfAll({ start, end }: Job): boolean {
  return start === undefined && end === undefined
}

/** The newest search of all of an upload: what was found stays in sight while another one runs, which may be a step of a run. */
export function newestOn(jobs: readonly Job[], uploadId: string, endpoint: Finder): Job | undefined {
  const isMeant = (job: Job) => job.endpoint === endpoint && isOfAll(job)
  return newest(jobs, uploadId, (job) => isMeant(job) && job.status === 'completed') ?? newest(jobs, uploadId, isMeant)
}

/** The newest cut of all of an upload into these ranges, or else its newest cut. What a run cuts is no cut of the studio. */
export function cutOf(jobs: readonly Job[], uploadId: string, ranges: readonly Span[]): Job | undefined {
  const same = newestFor(jobs, uploadId, cutMarks(ranges))
  if (same && same.status !== 'failed') return same
  return newest(
    jobs,
    uploadId,
    (job) => job.endpoint === 'video/clip-window' && job.run_id === undefined && isOfAll(job),
  )
}

/** The newest job that makes a copy of an upload for browsers that cannot play it. */
export function newestCopyOf(jobs: readonly Job[], uploadId: string): Job | undefined {
  return newestFor(jobs, uploadId, playback)
}

/** The newest job on an upload that has these marks. */
export function newestFor(jobs: readonly Job[], uploadId: string, marks: Marks): Job | undefined {
  return newest(jobs, uploadId, ({ metadata }) =>
    Object.entries(marks).every(([name, value]) => metadata?.[name] === value),
  )
}

/** What all steps of a chain cost at most, in USD. */
export function planQuery(workflowId: string, mediaSeconds: number) {
  return queryOptions({
    queryKey: ['plan', workflowId, mediaSeconds],
    queryFn: async () => {
      const params = { path: { workflow_id: workflowId } }
      const body = { mode: 'plan' as const, media_seconds: mediaSeconds, settings: {} }
      const { plan } = await resultOf(api.POST('/v1/workflows/{workflow_id}/runs', { params, body }))
      return plan?.max_price_usd
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A run until its end. */
export function runQuery(runId: string) {
  return queryOptions({
    queryKey: ['runs', runId],
    queryFn: async ({ signal }) => {
      const params = { path: { run_id: runId }, query: { wait: unlessLive(5) || 0 } }
      return (await resultOf(api.GET('/v1/workflow-runs/{run_id}', { params, signal }))).run
    },
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? unlessLive(200) : false),
  })
}

/** Reads what the timeline of an upload is drawn from. */
export async function readAhead(queryClient: QueryClient, uploadId: string): Promise<void> {
  const { name } = await queryClient.query(uploadQuery(uploadId))
  const job = newestOn(await queryClient.query(jobsOnMediaQuery(name)), uploadId, 'audio/detect-silence')
  if (job?.status !== 'completed') return
  await Promise.all([queryClient.query(waveformQuery(job.id)), queryClient.query(jobQuery(job.id))])
}
