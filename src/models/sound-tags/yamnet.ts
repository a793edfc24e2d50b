import path from 'node:path'
import { createFourier } from '../../core/fourier.ts'
import { type LoadedModel, laughterKinds, modelSampleRate, type SoundTags, tagHopSeconds } from '../models.ts'
import { floatsOf, loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'

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
    for (const [index, weight] of hann.entries()) real[index] = (samples[frame * frameHop + index] ?? 0) * weight
    fourier.transform(real, imaginary)
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

const fourier = createFourier(fftLength)

/** The frames of one window: 0.975 seconds. */
const windowFrames = 96
const hopFrames = Math.round((tagHopSeconds * modelSampleRate) / frameHop)
const windowLength = (windowFrames - 1) * frameHop + frameLength

/** Of the classes in yamnet_class_map.csv, those in the order of `laughterKinds`: 13 is Laughter, 18 Chuckle. */
const firstLaughterClass = 13

/** Laughter in running sound is often quiet. Measured: with every window at this level, more of it is found. */
const windowRms = 0.05
/** Quieter windows are silence, which would become loud noise. */
const minRms = 0.002
const logOffset = 0.001

/** Loads YAMNet, which tags sounds with the classes of AudioSet. */
export async function loadYamnet(folder: string): Promise<LoadedModel<Float32Array, SoundTags>> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime()
  const session = await InferenceSession.create(path.join(folder, 'yamnet.onnx'), sessionOptions)

  async function run(given: Float32Array): Promise<SoundTags> {
    // Sound that is shorter than a window has one.
    const samples = new Float32Array(Math.max(given.length, windowLength))
    samples.set(given)
    const mel = melMagnitudes(samples)
    const frames = mel.length / melBands
    const windows = 1 + Math.floor((frames - windowFrames) / hopFrames)
    const scores = laughterKinds.map(() => new Float32Array(windows))
    for (let window = 0; window < windows; window += 1) {
      const frame = window * hopFrames
      const rms = rmsOf(samples.subarray(frame * frameHop, frame * frameHop + windowLength))
      if (rms < minRms) continue
      const patch = mel.subarray(frame * melBands, (frame + windowFrames) * melBands)
      const scaled = patch.map((magnitude) => Math.log((magnitude * windowRms) / rms + logOffset))
      const outputs = await session.run({ audio: new Tensor('float32', scaled, [1, 1, windowFrames, melBands]) })
      const logits = floatsOf(outputs, 'class_scores_updated')
      for (const [kind, each] of scores.entries())
        each[window] = 1 / (1 + Math.exp(-(logits[firstLaughterClass + kind] ?? Number.NEGATIVE_INFINITY)))
    }
    const [laughter, baby_laughter, giggle, snicker, belly_laugh, chuckle] = scores
    if (!laughter || !baby_laughter || !giggle || !snicker || !belly_laugh || !chuckle) throw new Error('no scores')
    return { laughter, baby_laughter, giggle, snicker, belly_laugh, chuckle }
  }

  return { run, close: () => session.release() }
}

function rmsOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)
}
