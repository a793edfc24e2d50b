import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { api, resultOf } from '../api/client.ts'
import { unlessLive } from '../api/live.ts'
import { isOpen, type Job } from '../api/queries.ts'
import { madeFor } from '../components/work-title.ts'
import type { PauseSettings } from './editor.ts'

const span = z.object({ start: z.number(), end: z.number() })

/** What the studio reads of a result of audio/detect-silence. */
export const silenceResult = z.object({ silences: z.array(span), threshold_db: z.number() })

const word = z.object({ text: z.string(), start: z.number(), end: z.number(), confidence: z.number() })

/** What the studio reads of a result of audio/find-words, which lists at most 20,000 words. */
export const wordsResult = z.object({ transcript: z.object({ words: z.optional(z.array(word)) }) })

export type Word = z.output<typeof word>

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
  receipt: z.object({ joints: z.number(), drift_ms: z.number(), audio_video_offset_ms: z.nullable(z.number()) }),
})

export function waveformQuery(jobId: string) {
  return queryOptions({
    queryKey: ['waveform', jobId],
    queryFn: () => resultOf(api.GET('/v1/jobs/{job_id}/waveform', { params: { path: { job_id: jobId } } })),
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
  settings?: CopySettings
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

type Finder = 'audio/detect-silence' | 'audio/find-words'

const finderSettings = {
  // Between the noise of the recording and its speech.
  'audio/detect-silence': { threshold: 'auto', min_silence_seconds: 0.5 },
  'audio/find-words': {},
}

/** Starts a job on all of the media. */
export async function startFinder(endpoint: Finder, mediaUrl: string): Promise<Job> {
  const body = { endpoint, media_url: mediaUrl, settings: finderSettings[endpoint] }
  return (await resultOf(api.POST('/v1/jobs', { body }))).job
}

export async function startCut(mediaUrl: string, ranges: { start: number; end: number }[]): Promise<Job> {
  const body = { endpoint: 'video/clip-window' as const, media_url: mediaUrl, settings: { ranges } }
  return (await resultOf(api.POST('/v1/jobs', { body }))).job
}

export type CopySettings = ReturnType<typeof copySettings>

/** A small copy of the whole media. WebM keeps what has more than 8 bits a colour playable, but takes longer. */
export function copySettings(format: 'm4a' | 'mp4' | 'webm') {
  if (format === 'm4a') return { format, audio_only: true }
  return { format, height: 540, quality: 'fast' as const }
}

export async function startCopy(mediaUrl: string, settings: CopySettings): Promise<Job> {
  const metadata = { [madeFor]: 'playback' }
  const body = { endpoint: 'video/clip-window' as const, media_url: mediaUrl, start: 0, settings, metadata }
  return (await resultOf(api.POST('/v1/jobs', { body }))).job
}

/** The newest job on an upload that is open or completed; if all have failed, the newest of these. */
function newest(jobs: readonly Job[], uploadId: string, isMeant: (job: Job) => boolean): Job | undefined {
  const meant = jobs.filter((job) => job.media?.upload_id === uploadId && isMeant(job))
  return meant.find(({ status }) => status !== 'failed') ?? meant[0]
}

/** The newest job of an endpoint that read all of an upload. */
export function newestOn(jobs: readonly Job[], uploadId: string, endpoint: string): Job | undefined {
  return newest(jobs, uploadId, (job) => job.endpoint === endpoint && job.start === undefined && job.end === undefined)
}

/** The newest job that makes a copy of an upload for browsers that cannot play it. */
export function newestCopyOf(jobs: readonly Job[], uploadId: string): Job | undefined {
  return newest(jobs, uploadId, ({ metadata }) => metadata?.[madeFor] === 'playback')
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
