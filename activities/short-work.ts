import { Context } from '@temporalio/activity'
import type { Deferral } from '../src/core/deferral.ts'
import type { MediaInfo } from '../src/core/media.ts'
import { durationOf } from '../src/core/segments.ts'
import type { MediaEndpoint } from '../src/endpoints/define-endpoint.ts'
import type { Job } from '../src/store/jobs.ts'

// Fairness between accounts orders what waits for a task slot, and frees none: renders of minutes would delay the jobs of every
// other account. Runs that take seconds therefore have task slots of their own.

/** Measured on one busy core: ten minutes of AAC in stereo at 48 kHz take two seconds to decode. */
const shortTrackSeconds = 600
const shortSamples = shortTrackSeconds * 48_000 * 2
/** Five seconds of 1080p at 25 frames a second, which x264 encodes in two or three seconds on two cores. */
const shortPixels = 5 * 25 * 1920 * 1080
/** Several times what a short run takes, for media that claims less work than it is. */
const maxSeconds = 10

/** Whether the run is expected to take seconds, by what the media says of itself. Work that is worth parts is not. */
export function isShortWork(
  job: Pick<Job, 'startSeconds' | 'endSeconds' | 'settings'>,
  { windowsToRead, producesFiles, models, takesLonger, parts }: MediaEndpoint,
  info: MediaInfo,
): boolean {
  if (models.length > 0 || takesLonger(job.settings) || parts?.isWorthwhile(job, job.settings, info)) return false
  const { audio, video, durationSeconds } = info
  const windows = windowsToRead?.(job, job.settings, durationSeconds)
  const seconds = windows?.reduce((sum, window) => sum + durationOf(window), 0) ?? durationSeconds
  const pixels = producesFiles && video ? video.width * video.height * video.frameRate * seconds : 0
  const samples = audio.reduce((sum, { sampleRate, channels }) => sum + sampleRate * channels, 0) * seconds
  const hasLittleSound = seconds * Math.max(1, audio.length) <= shortTrackSeconds && samples <= shortSamples
  return hasLittleSound && pixels <= shortPixels
}

/** Runs work that is expected to be short. If it is not, defers it, so that its task slot is free for others. */
export async function deferLongWork<T>(
  work: (limitSignal: AbortSignal) => Promise<T>,
  limitSignal = AbortSignal.timeout(maxSeconds * 1000),
): Promise<T | Deferral> {
  try {
    return await work(limitSignal)
  } catch (error) {
    if (!limitSignal.aborted || Context.current().cancellationSignal.aborted) throw error
    return { deferred: 'long_work' }
  }
}
