import path from 'node:path'
import type { Tensor as AnyTensor } from 'onnxruntime-node'
import { type LoadedModel, modelSampleRate, speechFrameLength } from '../models.ts'
import { loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'

/** Samples of the previous frame that the model sees, as in its own `OnnxWrapper` (snakers4/silero-vad, utils_vad.py). */
const contextLength = 64
const stateShape = [2, 1, 128]

/** Loads Silero VAD 5. The first frames are judged without context. */
export async function loadSilero(folder: string): Promise<LoadedModel<Float32Array, Float32Array>> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime()
  const session = await InferenceSession.create(path.join(folder, 'silero-vad.onnx'), sessionOptions)
  const rate = new Tensor('int64', BigInt64Array.of(BigInt(modelSampleRate)), [])
  return {
    run: async (samples) => {
      const chances = new Float32Array(Math.floor(samples.length / speechFrameLength))
      const heard = new Float32Array(contextLength + samples.length)
      heard.set(samples, contextLength)
      let state: AnyTensor = new Tensor('float32', new Float32Array(stateShape.reduce((a, b) => a * b)), stateShape)
      for (const frame of chances.keys()) {
        const start = frame * speechFrameLength
        const seen = heard.slice(start, start + contextLength + speechFrameLength)
        const { output, stateN } = await session.run({
          input: new Tensor('float32', seen, [1, seen.length]),
          state,
          sr: rate,
        })
        const chance = output?.data[0]
        if (typeof chance !== 'number' || !(stateN instanceof Tensor))
          throw new Error('the model returned an unexpected output')
        chances[frame] = chance
        state = stateN
      }
      return chances
    },
    close: () => session.release(),
  }
}
