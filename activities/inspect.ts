import { liveEndpoint } from '../src/endpoints/catalog.ts'
import { checkMedia } from '../src/endpoints/check-media.ts'
import { inspectMedia } from '../src/media/inspect.ts'
import { hasEnded, markRunning, recordMediaInfo } from '../src/store/jobs.ts'
import { measureStart } from '../src/telemetry/measure-jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { whileBeating } from './heartbeat.ts'
import { findKnownMedia } from './media-identity.ts'
import { openSource, type SourceMedia } from './source.ts'

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
    const { info, version } = await readMedia(deps, job, signal)
    checkMedia(liveEndpoint(job.endpoint), job, info)
    await recordMediaInfo(deps.db, jobId, info, version)
    return { jobEnded: false, mediaSeconds: info.durationSeconds }
  })
}

/** What the media holds: from an earlier job on the same bytes, else by reading it. */
export async function readMedia(deps: Dependencies, media: SourceMedia, signal: AbortSignal) {
  const known = await findKnownMedia(deps, media, signal)
  if (known) return known
  const { path, version } = await openSource(deps, media, signal)
  return { info: await inspectMedia(path, deps.ffmpeg, signal), version }
}
