import { createFourier } from '../../core/fourier.ts'
import { medianOf } from '../../core/many-numbers.ts'
import { modelSampleRate } from '../../models/models.ts'

/** How a stretch of sound resembles a vowel or a hum that is held. */
export interface VoiceTraits {
  /** Of its frames, those with a pitch of a voice. */
  readonly voicedShare: number
  /** By how many dB the spectrum of voiced frames changes in 50 ms, whatever their level is: the median. Infinity without two of them. */
  readonly changeDb: number
}

/** A frame every 10 ms. */
const hopSamples = 160
const spectrumSamples = 512
/** How far apart the frames are that are compared. */
const framesApart = 5

/** Measures mono sound at the rate of the models. A second takes about 6 ms. */
export function describeVoice(samples: Float32Array): VoiceTraits {
  const halved = halveRate(samples)
  const frames = Math.max(0, Math.floor((samples.length - 2 * pitchSamples) / hopSamples) + 1)
  const spectra = Array.from({ length: frames }, (_, frame) => {
    if (periodicity(halved.subarray((frame * hopSamples) / 2)) < minPeriodicity) return undefined
    const spectrum = bandLevels(samples.subarray(frame * hopSamples + spectrumOffset))
    const low = Math.max(...spectrum.slice(0, lowBands))
    return low > Math.max(...spectrum) - maxLowDb ? withoutLevel(spectrum) : undefined
  })
  const voiced = spectra.filter((spectrum) => spectrum !== undefined).length
  const changes = spectra.flatMap((spectrum, frame) => {
    const later = spectra[frame + framesApart]
    return spectrum && later ? [distance(spectrum, later)] : []
  })
  return {
    voicedShare: frames === 0 ? 0 : voiced / frames,
    changeDb: medianOf(changes) ?? Infinity,
  }
}

/** Half of the rate of the models. Its samples are sums of two. */
const pitchRate = modelSampleRate / 2
/** Pitches of voices: 50 to 400 Hz. */
const [shortestPeriod, longestPeriod] = [pitchRate / 400, pitchRate / 50]
/** 25 ms are compared with 25 ms a period later. */
const comparedSamples = pitchRate / 40
const pitchSamples = comparedSamples + longestPeriod
/** Both are around the same moment. */
const spectrumOffset = pitchSamples - spectrumSamples / 2

/** The correlation of a frame with the same frame a period later, at the best period. Measured: voices 0.7 to 1, breath and noise below 0.5. */
const minPeriodicity = 0.6

function halveRate(samples: Float32Array): Float32Array {
  return Float32Array.from(
    { length: samples.length >> 1 },
    (_, index) => (samples[2 * index] ?? 0) + (samples[2 * index + 1] ?? 0),
  )
}

function periodicity(samples: Float32Array): number {
  const product = (lag: number, otherLag: number) => {
    let sum = 0
    for (let at = 0; at < comparedSamples; at += 1) sum += (samples[at + lag] ?? 0) * (samples[at + otherLag] ?? 0)
    return sum
  }
  const energy = product(0, 0)
  let [best, laterEnergy] = [0, product(shortestPeriod, shortestPeriod)]
  for (let period = shortestPeriod; period <= longestPeriod; period += 1) {
    const correlation = product(0, period) / Math.sqrt(energy * laterEnergy + 1e-12)
    if (correlation > best) best = correlation
    laterEnergy += (samples[period + comparedSamples] ?? 0) ** 2 - (samples[period] ?? 0) ** 2
  }
  return best
}

/** Bands of 600 Hz, one every 240 Hz: each has harmonics of every voice. */
const bands = 16
const bandHertz = 240
const bandReachHertz = 300
/** A voice has its pitch in the lowest bands. Beeps and whistles do not. */
const lowBands = 2
const maxLowDb = 25
/** What is further below the loudest band is noise. */
const rangeDb = 45

const fourier = createFourier(spectrumSamples)

const hann = Float64Array.from(
  { length: spectrumSamples },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / spectrumSamples),
)

/** For each band, its bins with their weights. */
const bandFilters = Array.from({ length: bands }, (_, band) => {
  const middle = bandHertz * (band + 1)
  return Array.from({ length: spectrumSamples / 2 }, (_, bin) => {
    const away = Math.abs((bin * modelSampleRate) / spectrumSamples - middle)
    return [bin, 1 - away / bandReachHertz] as const
  }).filter(([, weight]) => weight > 0)
})

/** In dB. */
function bandLevels(samples: Float32Array): number[] {
  const real = Float64Array.from(hann, (weight, index) => (samples[index] ?? 0) * weight)
  const imaginary = new Float64Array(spectrumSamples)
  fourier.transform(real, imaginary)
  const levels = bandFilters.map((filter) => {
    let power = 1e-12
    for (const [bin, weight] of filter) power += weight * ((real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2)
    return 10 * Math.log10(power)
  })
  const lowest = Math.max(...levels) - rangeDb
  return levels.map((level) => Math.max(level, lowest))
}

function withoutLevel(spectrum: readonly number[]): number[] {
  const mean = spectrum.reduce((sum, level) => sum + level, 0) / spectrum.length
  return spectrum.map((level) => level - mean)
}

/** The root mean square of the differences. */
function distance(one: readonly number[], other: readonly number[]): number {
  const sum = one.reduce((total, level, band) => total + (level - (other[band] ?? 0)) ** 2, 0)
  return Math.sqrt(sum / one.length)
}
