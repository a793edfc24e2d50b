import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { activityInfo } from '@temporalio/activity'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import type { OutputFile } from '../src/endpoints/define-endpoint.ts'
import { type Draft, draftOf, mediaInfoOf } from '../src/store/job-documents.ts'
import { getJob, hasEnded, recordDraft, recordProgress } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { whileBeating } from './heartbeat.ts'
import { jobDirectory, openSource } from './source.ts'

export interface RunInput {
  readonly jobId: string
}

/** Does the endpoint's work, stores its files and leaves the draft that finish publishes. A draft that is there stays. */
export async function runJob(deps: Dependencies, { jobId }: RunInput): Promise<void> {
  const job = await getJob(deps.db, jobId)
  if (hasEnded(job) || draftOf(job)) return
  const info = mediaInfoOf(job)
  if (!info) throw new Error(`${jobId} was not inspected`)

  // Each attempt has its own folder and keys: one that was given up but still runs cannot touch another's files.
  const attempt = String(activityInfo().attempt)
  const workDir = path.join(jobDirectory(deps, jobId), attempt)
  await mkdir(workDir, { recursive: true })
  const work = async (signal: AbortSignal, reportProgress: (fraction: number) => void) => {
    const source = await openSource(deps, job, signal)
    const began = performance.now()
    const output = await liveEndpoint(job.endpoint).run({
      media: { path: source.path, info },
      ffmpeg: deps.ffmpeg,
      window: job,
      settings: job.settings,
      workDir,
      signal,
      reportProgress,
    })
    deps.metrics.processingSeconds.inc({ endpoint: job.endpoint }, (performance.now() - began) / 1000)
    deps.metrics.mediaSeconds.inc({ endpoint: job.endpoint }, output.billedMilliseconds / 1000)
    const files = await Promise.all(
      output.files.map((file) => store(deps, file, `outputs/${jobId}/${attempt}`, signal)),
    )
    return { result: output.result, files, billedMilliseconds: output.billedMilliseconds }
  }
  try {
    const draft = await whileBeating(work, (progress) => recordProgress(deps.db, jobId, progress))
    const recorded = await recordDraft(deps.db, jobId, draft)
    await deleteDeadObjects(deps, jobId, Number(attempt), recorded)
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** Objects that no draft names: those of earlier attempts where this one's draft is the job's, else this one's own. */
async function deleteDeadObjects(
  { storage }: Dependencies,
  jobId: string,
  attempt: number,
  recorded: boolean,
): Promise<void> {
  const dead = recorded ? Array.from({ length: attempt - 1 }, (_, index) => index + 1) : [attempt]
  for (const each of dead) await storage.deleteUnder(`outputs/${jobId}/${each}`)
}

async function store(
  { storage }: Dependencies,
  file: OutputFile,
  objects: string,
  signal: AbortSignal,
): Promise<Draft['files'][number]> {
  const { path: filePath, ...described } = file
  const objectKey = `${objects}/${file.fileName}`
  const { bytes } = await storage.write(objectKey, createReadStream(filePath), file.contentType, signal)
  return { ...described, objectKey, bytes }
}
