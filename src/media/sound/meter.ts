import { cellMs, type Envelope, frameAt, framesIn, type Stretch } from './envelope.ts'

export interface MeterOptions extends Stretch {
  readonly sampleRate: number
  readonly channels: number
}

export interface Meter {
  /** Takes the next interleaved samples, in whole frames. Ignores samples after the end of the stretch. */
  push(samples: Int16Array): void
  finish(decodeErrors: number): Envelope
}

/** Measures the envelope of a stretch as its samples are decoded. */
export function createMeter({ startMs, endMs, sampleRate, channels }: MeterOptions): Meter {
  const peaks = new Uint16Array(endMs - startMs)
  const squares = new Float32Array((endMs - startMs) / cellMs)
  const sums = new Float64Array(channels)
  let window = 0
  let left = 0
  let samplesTaken = 0

  const samplesOf = (index: number) =>
    (frameAt(startMs + index + 1, sampleRate) - frameAt(startMs + index, sampleRate)) * channels
  const closeCell = () => {
    squares[Math.floor((window - 1) / cellMs)] = Math.max(...sums)
    sums.fill(0)
  }
  // Below 1 kHz, some windows contain no frame.
  const openWindow = () => {
    while (left === 0 && window < peaks.length) {
      left = samplesOf(window)
      if (left > 0) return
      window += 1
      if (window % cellMs === 0) closeCell()
    }
  }
  openWindow()
  return {
    push(samples) {
      let at = 0
      while (at < samples.length && window < peaks.length) {
        const end = Math.min(at + left, samples.length)
        const peak = measure(samples, at, end, sums)
        if (peak > (peaks[window] ?? 0)) peaks[window] = peak
        left -= end - at
        at = end
        if (left > 0) continue
        window += 1
        if (window % cellMs === 0) closeCell()
        openWindow()
      }
      samplesTaken += at
    },
    finish(decodeErrors) {
      if (window % cellMs !== 0 || left > 0) {
        window += 1
        closeCell()
      }
      const frames = Math.min(samplesTaken / channels, framesIn({ startMs, endMs }, sampleRate))
      return { startMs, endMs, sampleRate, frames, decodeErrors, peaks, squares }
    },
  }
}

/** Adds the squares of each channel to `sums`; returns the highest absolute sample. Plain loops, as this runs for every sample. */
function measure(samples: Int16Array, start: number, end: number, sums: Float64Array): number {
  const channels = sums.length
  let highest = 0
  let lowest = 0
  for (let channel = 0; channel < channels; channel++) {
    let sum = 0
    for (let index = start + channel; index < end; index += channels) {
      const sample = samples[index] ?? 0
      if (sample > highest) highest = sample
      else if (sample < lowest) lowest = sample
      sum += sample * sample
    }
    sums[channel] = (sums[channel] ?? 0) + sum
  }
  return Math.max(highest, -lowest)
}
