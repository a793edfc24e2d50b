import path from 'node:path'
import { type LoadedModel, modelSampleRate } from '../models.ts'
import { loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'
import { frameHop, frameLength, melBands, melMagnitudes } from './log-mel.ts'
import { laughterKinds, type SoundTags, tagHopSeconds } from './sound-tags.ts'

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
      const { class_scores_updated: output } = await session.run({
        audio: new Tensor('float32', scaled, [1, 1, windowFrames, melBands]),
      })
      const logits = output?.data
      if (!(logits instanceof Float32Array)) throw new Error('the model returned an unexpected output')
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
