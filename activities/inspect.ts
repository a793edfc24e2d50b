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
import { openSource } from './source.ts'

export interface InspectInput {
  readonly jobId: string
}

export type InspectResult = { readonly jobEnded: true } | { readonly jobEnded: false; readonly mediaSeconds: number }

/** Reads the source and learns what it holds. Fails where the endpoint cannot work on it. */
export async function inspectSource(deps: Dependencies, { jobId }: InspectInput): Promise<InspectResult> {
  const job = await markRunning(deps.db, jobId)
  measureStart(deps.metrics, job)
  if (hasEnded(job)) return { jobEnded: true }

  return whileBeating(async (signal) => {
    const source = await openSource(deps, job, signal)
    const info = await inspectMedia(source.path, deps.ffmpeg, signal)
    checkNeeds(liveEndpoint(job.endpoint), job, info)
    await recordMediaInfo(deps.db, jobId, info)
    return { jobEnded: false, mediaSeconds: info.durationSeconds }
  })
}

function checkNeeds({ needs }: LiveEndpoint, job: Job, info: MediaInfo): void {
  if (needs.audio && info.audio.length === 0) throw new ServiceError('no_audio_track')
  if (needs.video && !info.video) throw new ServiceError('no_video_track')
  resolveWindow(job, info.durationSeconds)
}
