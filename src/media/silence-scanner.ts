import type { Segment } from '../core/segments.ts'

export interface SilenceScannerOptions {
  readonly sampleRate: number
  readonly channels: number
  /** Linear, 0 to 1. A frame is silent while every channel is below it. */
  readonly amplitude: number
  readonly minSilenceSeconds: number
}

export interface SilenceScanner {
  /** Takes interleaved samples, whole frames. */
  push(samples: Int16Array): void
  /** The silences in seconds from the first sample, when all samples were pushed. */
  finish(): Segment[]
}

/** Finds the stretches in which every channel stays below the level, as ffmpeg's silencedetect does. */
export function createSilenceScanner(options: SilenceScannerOptions): SilenceScanner {
  const { sampleRate, channels, minSilenceSeconds } = options
  // As silencedetect rounds it, so that a sample at the very level counts alike.
  const limit = Math.max(1, Math.trunc(options.amplitude * 32_767))
  const samplesPerSecond = sampleRate * channels
  const minSamples = Math.max(1, Math.floor(minSilenceSeconds * sampleRate)) * channels
  const silences: Segment[] = []
  let scanned = 0
  /** The first sample after the last loud frame, counted from the first of all. */
  let quietFrom = 0

  const quietUntil = (sample: number) => {
    if (sample - quietFrom < minSamples) return
    silences.push({ start: quietFrom / samplesPerSecond, end: sample / samplesPerSecond })
  }
  return {
    push(samples) {
      // Counted from this piece's start, so that the loop works on small integers.
      let quiet = quietFrom - scanned
      for (let index = 0; index < samples.length; index++) {
        const sample = samples[index] ?? 0
        if (sample < limit && sample > -limit) continue
        const frame = index - (index % channels)
        if (frame - quiet >= minSamples) {
          quietFrom = scanned + quiet
          quietUntil(scanned + frame)
        }
        quiet = frame + channels
      }
      quietFrom = scanned + quiet
      scanned += samples.length
    },
    finish() {
      quietUntil(scanned)
      quietFrom = scanned
      return silences
    },
  }
}
