import { longListeningSeconds } from '../core/media.ts'
import { durationOf } from '../core/segments.ts'
import type { PartsDeclaration } from './define-endpoint.ts'
import { resolveWindow } from './job-window.ts'

export interface DetectionSettings {
  readonly audio_track: 'default' | 'all' | number
}

/** How detection in the sound of a long window splits. */
export const splitDetection: PartsDeclaration<DetectionSettings> = {
  isWorthwhile: (window, _settings, { durationSeconds }) =>
    durationOf(resolveWindow(window, durationSeconds)) > longListeningSeconds,
  load: async () => (await import('./detection-parts.ts')).detectionParts,
}
