import type { MediaInfo } from '../../../src/core/media.ts'

/** The description of a recording of this length. */
export const recordingOf = (durationSeconds: number): MediaInfo => ({
  format: 'wav',
  durationSeconds,
  bytes: 1000,
  audio: [{ codec: 'pcm_s16le', sampleRate: 16_000, channels: 1, isDefault: true }],
  video: null,
})
