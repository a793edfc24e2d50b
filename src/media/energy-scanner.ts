export interface EnergyScannerOptions {
  readonly sampleRate: number
  readonly channels: number
  readonly windowSeconds: number
}

/** Power and peak of each window, linear; window `i` starts at `i × windowSeconds`. The last one may be shorter. */
export interface EnergyWindows {
  /** Mean of the squared samples, 0 to 1, of the loudest channel. */
  readonly power: Float64Array
  /** Highest sample of any channel, 0 to 1. */
  readonly peak: Float64Array
}

export interface EnergyScanner {
  /** Takes interleaved samples, whole frames. */
  push(samples: Int16Array): void
  finish(): EnergyWindows
}

const fullScale = 32_768

/** Measures windows of equal length; their bounds lie at the sample below, so that rounding never adds up. */
export function createEnergyScanner({ sampleRate, channels, windowSeconds }: EnergyScannerOptions): EnergyScanner {
  const power: number[] = []
  const peak: number[] = []
  const squares = new Float64Array(channels)
  let highest = 0
  let frames = 0
  let windowStart = 0
  let windowEnd = boundary(1)

  function boundary(window: number): number {
    return Math.max(window, Math.floor(window * windowSeconds * sampleRate + 1e-6))
  }
  const close = () => {
    power.push(Math.max(...squares) / (frames - windowStart) / fullScale ** 2)
    peak.push(highest / fullScale)
    squares.fill(0)
    highest = 0
    windowStart = frames
    windowEnd = boundary(power.length + 1)
  }
  const measureFrame = (samples: Int16Array, start: number) => {
    for (let channel = 0; channel < channels; channel++) {
      const sample = samples[start + channel] ?? 0
      const size = sample < 0 ? -sample : sample
      if (size > highest) highest = size
      squares[channel] = (squares[channel] ?? 0) + size * size
    }
  }
  return {
    push(samples) {
      for (let start = 0; start < samples.length; start += channels) {
        measureFrame(samples, start)
        if (++frames === windowEnd) close()
      }
    },
    finish() {
      if (frames > windowStart) close()
      return { power: Float64Array.from(power), peak: Float64Array.from(peak) }
    },
  }
}
