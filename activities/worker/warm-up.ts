import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { microUsd } from '../../src/core/money.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { holdEstimate } from '../../src/jobs/hold-estimate.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { inspectMedia } from '../../src/media/inspect/inspect.ts'
import { measuredEnvelopes } from '../../src/media/sound/envelopes.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import { findAnalysis, findMediaInfo, hasAnalyses } from '../../src/store/analyses.ts'
import { openConnections } from '../../src/store/database.ts'
import { markRunning, openRunAttempt, openWorkAttempt, recordProgress } from '../../src/store/job-changes.ts'
import { getJob } from '../../src/store/jobs.ts'
import { missingProbe } from '../../src/temporal/workflow-starts.ts'
import type { Dependencies } from '../dependencies.ts'

type WarmUpInput = Pick<Dependencies, 'db' | 'storage' | 'ffmpeg' | 'cores' | 'logger' | 'workDir'>

/**
 * Does once what the first job would wait for: connects to database and storage, compiles the statements of a job, loads
 * the code of the endpoints, and measures a sound, for which V8 compiles the loops over samples. Never throws: a worker that
 * cannot do this reports it with its first job.
 */
export async function warmUp(deps: WarmUpInput): Promise<void> {
  const start = performance.now()
  const connect = () => Promise.all([deps.storage.ping(), openConnections(deps.db)])
  const load = () => Promise.all(endpoints.flatMap((endpoint) => (endpoint.readsMedia ? [endpoint.load()] : [])))
  const results = await Promise.allSettled([
    connect().then(() => compileStatements(deps)),
    listenToSawtooth(deps),
    load(),
  ])
  for (const result of results)
    if (result.status === 'rejected') deps.logger.warn({ err: result.reason }, 'not warm: the first job takes longer')
  deps.logger.debug({ milliseconds: Math.round(performance.now() - start) }, 'warmed up')
}

const maxWorkflowMilliseconds = 2_000

/**
 * Runs the workflow of an estimate that no probe has, once the workers poll: it evaluates the workflows' code and compiles
 * Temporal's messages, for which the first job would wait a quarter of a second. Another worker may take it. Never throws.
 */
export async function playWorkflow({ jobs, logger }: Pick<Dependencies, 'jobs' | 'logger'>): Promise<void> {
  const probe = missingProbe()
  const end = performance.now() + maxWorkflowMilliseconds
  try {
    await jobs.startProbe(probe)
    while (performance.now() < end && (await jobs.isOpen(probe.probeId))) await setTimeout(10)
  } catch (error) {
    logger.warn({ err: error }, 'no workflow played: the first job takes longer')
  }
}

/** Plays a job's statements for an id that no job has: they find nothing, so they change nothing. */
async function compileStatements({ db }: WarmUpInput): Promise<void> {
  const noJob = newId('job')
  const noMedia = { accountId: noJob, source: noJob, version: noJob }
  const statements = [
    () => getJob(db, noJob),
    () => hasAnalyses(db, noMedia),
    () => findMediaInfo(db, noMedia, []),
    () => findAnalysis(db, { ...noMedia, format: 0, trackIndex: 0, startMs: 0, endMs: 0 }),
    () => openWorkAttempt(db, noJob),
    () => openRunAttempt(db, noJob),
    () => markRunning(db, noJob),
    () => holdEstimate(db, noJob, () => microUsd(0)),
    () => recordProgress(db, noJob, 0),
    () => settleJob(db, noJob),
  ]
  for (const statement of statements)
    await statement().catch((error: unknown) => {
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error
    })
}

async function listenToSawtooth({ ffmpeg, cores, workDir }: WarmUpInput): Promise<void> {
  const file = path.join(workDir, 'sawtooth.wav')
  const { signal } = new AbortController()
  try {
    await writeFile(file, sawtoothWav({ seconds: 40, sampleRate: 44_100 }))
    const source = await fileSource(file)
    const info = await inspectMedia(source, ffmpeg, signal)
    const [track] = info.audio
    if (!track) throw new Error('no sound found in a WAV')
    const envelopes = measuredEnvelopes({ media: { info, open: async () => source }, ffmpeg, cores, signal })
    await envelopes.get({ track: { ...track, index: 0 }, window: { start: 0, end: info.durationSeconds } })
  } finally {
    await rm(file, { force: true })
  }
}

/** A sawtooth as 16-bit mono WAV, as https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html describes it. */
function sawtoothWav({ seconds, sampleRate }: { readonly seconds: number; readonly sampleRate: number }): Buffer {
  const samples = Int16Array.from({ length: seconds * sampleRate }, (_, index) => ((index * 1_000) % 65_536) - 32_768)
  const sound = Buffer.from(samples.buffer)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + sound.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  // PCM, one channel.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(2 * sampleRate, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(sound.length, 40)
  return Buffer.concat([header, sound])
}
