import { stat } from 'node:fs/promises'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { ServiceError } from '../core/errors.ts'
import type { Ffmpeg } from '../core/ffmpeg.ts'
import { failureOfJob, type Job } from '../jobs/job-rows.ts'
import type { Span, Tracing } from './tracing.ts'

const prefix = 'media_timeline_'

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const waitBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]
const jobBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

/** The activities of a job that move money. */
export const ledgerTransactions = ['accept', 'hold', 'settle'] as const

/** Every metric of API and worker. Labels never contain an id: each label value is its own time series. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: prefix + name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name: prefix + name, help, labelNames, buckets, registers })

  // biome-ignore format: a table reads by rows
  const metrics = {
    registry,
    httpRequestSeconds: histogram('http_request_duration_seconds', 'From a request’s arrival to the end of its answer, held answers included.', ['method', 'route', 'status'], requestBuckets),
    jobsCreated: counter('jobs_created_total', 'Jobs accepted; repeats of an Idempotency-Key are not counted.', ['endpoint']),
    jobsEnded: counter('jobs_ended_total', 'Jobs ended; `code` is the error code of a failed job, otherwise blank.', ['endpoint', 'status', 'code']),
    openJobs: gauge('open_jobs', 'Jobs that have not ended, from the database; every API reports the same.', ['endpoint', 'status']),
    oldestOpenJobSeconds: gauge('oldest_open_job_age_seconds', 'Time since the oldest job that has not ended got its slot, from the database; 0 if none has one.', ['endpoint', 'status']),
    taskQueueBacklog: gauge('task_queue_backlog', 'Tasks that wait for a worker, as Temporal estimates them; every API reports the same.', ['task_queue']),
    taskQueueBacklogAgeSeconds: gauge('task_queue_backlog_age_seconds', 'How long the oldest of these tasks has waited.', ['task_queue']),
    workerEnds: gauge('worker_ends_last_hour', 'Workers that ended themselves in the last hour because a job blocked them, from the database; every API reports the same.', []),
    jobQueueSeconds: histogram('job_queue_duration_seconds', 'From the slot of a job to the beginning of its work: its download from another server, the plan of its parts, or its run.', ['endpoint'], waitBuckets),
    jobSeconds: histogram('job_duration_seconds', 'From the beginning of a job’s work to its end.', ['endpoint', 'status'], jobBuckets),
    mediaSeconds: counter('media_seconds_total', 'Seconds of media analysed or produced, as the price counts them.', ['endpoint']),
    processingSeconds: counter('processing_seconds_total', 'Seconds that runs took, without the time to store files, and that the parts of long jobs took, with it.', ['endpoint']),
    ffmpegRuns: counter('ffmpeg_runs_total', 'Runs of ffmpeg and ffprobe; `outcome` is ok or an error code.', ['program', 'outcome']),
    toolConfinement: gauge('tool_confinement', 'Always 1. The label `level` says how the worker confines ffmpeg: such as prlimit for limits alone, none, or down while the launcher is started again.', ['level']),
    ledgerErrors: counter('ledger_errors_total', 'Ledger transactions that failed unexpectedly; refusals such as billing_required are not counted.', ['transaction']),
    webhookAttempts: counter('webhook_attempts_total', 'Attempts to send an event to a webhook endpoint; `outcome` is delivered or why it failed.', ['outcome']),
    upkeepPasses: counter('upkeep_passes_total', 'Passes of upkeep that began.', []),
    upkeepRepairs: counter('upkeep_repairs_total', 'Rows and objects that upkeep repaired or deleted.', ['rule']),
  }
  // A series that starts with its first error shows no increase.
  for (const transaction of ledgerTransactions) metrics.ledgerErrors.inc({ transaction }, 0)
  return metrics
}

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Measures the start of a job, once, even if its work begins again. Its wait begins when it got its slot: until then, it waited for
 * other jobs of its account.
 */
export function measureStart(metrics: Metrics, job: Job & { readonly startedNow: boolean }): void {
  const { endpoint, startedNow, admittedAt, createdAt, startedAt } = job
  if (!startedNow || !startedAt) return
  metrics.jobQueueSeconds.observe({ endpoint }, seconds(admittedAt ?? createdAt, startedAt))
}

/** Measures the end of a job, once, however often the job is settled. */
export function measureEnd(metrics: Metrics, job: Job & { readonly endedNow: boolean }): void {
  if (!job.endedNow) return
  const { endpoint, status, startedAt, endedAt } = job
  metrics.jobsEnded.inc({ endpoint, status, code: failureOfJob(job)?.code ?? '' })
  if (startedAt && endedAt) metrics.jobSeconds.observe({ endpoint, status }, seconds(startedAt, endedAt))
}

/** Counts unexpected errors of a ledger transaction; refusals are not counted. */
export async function countingLedgerErrors<T>(
  { ledgerErrors }: Metrics,
  transaction: (typeof ledgerTransactions)[number],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) ledgerErrors.inc({ transaction })
    throw error
  }
}

function seconds(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1000
}

/** The same tools, with a counter and a span for each run. The span has facts of the output, never of the input. */
export function observeFfmpeg(ffmpeg: Ffmpeg, { metrics, tracing }: { metrics: Metrics; tracing: Tracing }): Ffmpeg {
  const observe = <T>(program: 'ffmpeg' | 'ffprobe', run: (span: Pick<Span, 'set'>) => Promise<T>): Promise<T> =>
    tracing.inSpan({ name: program, attributes: { 'process.executable.name': program } }, async (span) => {
      try {
        const result = await run(span)
        metrics.ffmpegRuns.inc({ program, outcome: 'ok' })
        return result
      } catch (error) {
        metrics.ffmpegRuns.inc({ program, outcome: errorTypeOf(error) })
        throw error
      }
    })

  return {
    maxPixels: ffmpeg.maxPixels,
    probe: (job) => observe('ffprobe', () => ffmpeg.probe(job)),
    run: (job) =>
      observe('ffmpeg', async (span) => {
        const { output, onProgress } = job
        let bytes = 0
        let seconds: number | undefined
        const outcome = await ffmpeg.run({
          ...job,
          ...(typeof output === 'function'
            ? {
                output: (chunk) => {
                  bytes += chunk.length
                  return output(chunk)
                },
              }
            : {}),
          ...(onProgress
            ? {
                onProgress: (made) => {
                  seconds = made
                  onProgress(made)
                },
              }
            : {}),
        })
        const size = typeof output === 'string' ? await sizeOf(output) : bytes
        span.set({ 'media_timeline.output_bytes': size, 'media_timeline.output_seconds': seconds })
        return outcome
      }),
  }
}

/** Undefined if the output is not one file. */
async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  )
}

/** The code of an error for spans and labels. Never its text, which can contain a path or a URL. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof ServiceError) return error.code
  if (error instanceof ApplicationFailure) return error.type ?? 'server_error'
  const isAbort = error instanceof CancelledFailure || (error instanceof Error && error.name === 'AbortError')
  return isAbort ? 'canceled' : 'server_error'
}
