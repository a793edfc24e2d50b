import { ServiceError } from '../src/core/errors.ts'
import type { MediaInfo } from '../src/core/media.ts'
import { liveEndpoint } from '../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../src/endpoints/define-endpoint.ts'
import { resolveWindow } from '../src/endpoints/job-window.ts'
import { inspectMedia } from '../src/media/inspect.ts'
import { hasEnded, type Job, markRunning, recordMediaInfo } from '../src/store/jobs.ts'
import { measureStart } from '../src/telemetry/measure-jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { whileBeating } from './heartbeat.ts'
import { findKnownMedia } from './media-identity.ts'
import { openSource } from './source.ts'

export interface InspectInput {
  readonly jobId: string
}

export type InspectResult = { readonly jobEnded: true } | { readonly jobEnded: false; readonly mediaSeconds: number }

/** Learns what the source holds: by reading it, where no earlier job did. Fails where the endpoint cannot work on it. */
export async function inspectSource(deps: Dependencies, { jobId }: InspectInput): Promise<InspectResult> {
  const job = await markRunning(deps.db, jobId)
  measureStart(deps.metrics, job)
  if (hasEnded(job)) return { jobEnded: true }

  return whileBeating(async (signal) => {
    const { info, version } = (await findKnownMedia(deps, job, signal)) ?? (await readMedia(deps, job, signal))
    checkNeeds(liveEndpoint(job.endpoint), job, info)
    await recordMediaInfo(deps.db, jobId, info, version)
    return { jobEnded: false, mediaSeconds: info.durationSeconds }
  })
}

async function readMedia(deps: Dependencies, job: Job, signal: AbortSignal) {
  const { path, version } = await openSource(deps, job, signal)
  return { info: await inspectMedia(path, deps.ffmpeg, signal), version }
}

function checkNeeds({ needs }: LiveEndpoint, job: Job, info: MediaInfo): void {
  if (needs.audio && info.audio.length === 0) throw new ServiceError('no_audio_track')
  if (needs.video && !info.video) throw new ServiceError('no_video_track')
  resolveWindow(job, info.durationSeconds)
}
