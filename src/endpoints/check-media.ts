import { ServiceError } from '../core/errors.ts'
import type { MediaInfo } from '../core/media.ts'
import type { MediaEndpoint } from './define-endpoint.ts'
import { type JobWindow, resolveWindow } from './job-window.ts'

/** Throws if the endpoint cannot process the media: a track is missing, or the window is past its end. */
export function checkMedia({ needs }: MediaEndpoint, window: JobWindow, info: MediaInfo): void {
  if (needs.audio && info.audio.length === 0) throw new ServiceError('no_audio_track')
  if (needs.video && !info.video) throw new ServiceError('no_video_track')
  resolveWindow(window, info.durationSeconds)
}
