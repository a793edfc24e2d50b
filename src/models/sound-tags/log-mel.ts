import { modelSampleRate } from '../models.ts'

// The spectrogram that YAMNet was trained on: https://github.com/tensorflow/models/tree/master/research/audioset/yamnet (features.py)

/** 25 ms every 10 ms. */
export const frameLength = 400
export const frameHop = 160
export const melBands = 64

const fftLength = 512
const lowestHertz = 125
const highestHertz = 7_500

/** The mel bands of every frame: magnitudes, not logarithms. */
export function melMagnitudes(samples: Float32Array): Float32Array {
  const frames = Math.max(0, 1 + Math.floor((samples.length - frameLength) / frameHop))
  const mel = new Float32Array(frames * melBands)
  const [real, imaginary] = [new Float64Array(fftLength), new Float64Array(fftLength)]
  for (let frame = 0; frame < frames; frame += 1) {
    real.fill(0)
    imaginary.fill(0)
    for (const [index, weight] of hann.entries())
      real[reversed[index] ?? 0] = (samples[frame * frameHop + index] ?? 0) * weight
    transform(real, imaginary)
    for (const [band, weights] of filters.entries()) {
      let sum = 0
      for (const [bin, weight] of weights) sum += weight * Math.hypot(real[bin] ?? 0, imaginary[bin] ?? 0)
      mel[frame * melBands + band] = sum
    }
  }
  return mel
}

const hann = Float64Array.from(
  { length: frameLength },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / frameLength),
)

const toMel = (hertz: number) => 1127 * Math.log(1 + hertz / 700)
const toHertz = (mel: number) => 700 * (Math.exp(mel / 1127) - 1)

/** For each band, the bins of its triangle with their weights. */
const filters = Array.from({ length: melBands }, (_, band) => {
  const step = (toMel(highestHertz) - toMel(lowestHertz)) / (melBands + 1)
  const edge = (index: number) => toHertz(toMel(lowestHertz) + (band + index) * step)
  const [low, middle, high] = [edge(0), edge(1), edge(2)]
  return Array.from({ length: fftLength / 2 + 1 }, (_, bin) => {
    const hertz = (bin * modelSampleRate) / fftLength
    return [bin, Math.max(0, Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle)))] as const
  }).filter(([, weight]) => weight > 0)
})

const bits = Math.log2(fftLength)
/** The order in which the transform below takes its input. */
const reversed = Uint16Array.from({ length: fftLength }, (_, index) =>
  Number.parseInt(index.toString(2).padStart(bits, '0').split('').toReversed().join(''), 2),
)
const cosines = Float64Array.from({ length: fftLength / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / fftLength))
const sines = Float64Array.from({ length: fftLength / 2 }, (_, index) => -Math.sin((2 * Math.PI * index) / fftLength))

/** The fast Fourier transform by Cooley and Tukey, in place, of input in reversed order. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let size = 2; size <= fftLength; size *= 2) {
    const [half, stride] = [size / 2, fftLength / size]
    for (let start = 0; start < fftLength; start += size) {
      for (let offset = 0; offset < half; offset += 1) {
        const [low, high, turn] = [start + offset, start + offset + half, offset * stride]
        const [cosine, sine] = [cosines[turn] ?? 0, sines[turn] ?? 0]
        const [a, b] = [real[high] ?? 0, imaginary[high] ?? 0]
        const [turnedReal, turnedImaginary] = [a * cosine - b * sine, a * sine + b * cosine]
        const [lowReal, lowImaginary] = [real[low] ?? 0, imaginary[low] ?? 0]
        real[high] = lowReal - turnedReal
        imaginary[high] = lowImaginary - turnedImaginary
        real[low] = lowReal + turnedReal
        imaginary[low] = lowImaginary + turnedImaginary
      }
    }
  }
}
