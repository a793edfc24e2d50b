import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Tensor as AnyTensor, InferenceSession as Session } from 'onnxruntime-node'
import { type LoadedModel, modelSampleRate, type SpokenWord } from '../models.ts'
import { floatsOf, loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'
import { type StepAttention, stepAttention, timeWords } from './word-times.ts'

// Moonshine tiny, of its config.json. https://github.com/moonshine-ai/moonshine
const layers = 6
const heads = 8
const headSize = 36
const startToken = 1
const endToken = 2

/** The model repeats itself in sound that is not speech. Speech has fewer tokens a second. */
const maxTokensPerSecond = 6.5
const maxTokensBeside = 8

/** Loads Moonshine tiny for English: transcribes by choosing the likeliest token at each step, and times words by its attention. */
export async function loadMoonshine(folder: string): Promise<LoadedModel<Float32Array, SpokenWord[]>> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime()
  const open = (file: string) => InferenceSession.create(path.join(folder, file), sessionOptions)
  const encoder = await open('encoder.ort')
  const decoder = await open('decoder.onnx')
  const tokens = readTokens(await readFile(path.join(folder, 'tokenizer.bin')))
  const integers = (values: BigInt64Array) => new Tensor('int64', values, [1, values.length])

  async function run(samples: Float32Array): Promise<SpokenWord[]> {
    const mask = integers(new BigInt64Array(samples.length).fill(1n))
    const sound = new Tensor('float32', samples, [1, samples.length])
    const encoded = await encoder.run({ input_values: sound, attention_mask: mask })
    const hidden = outputOf(encoded, 'last_hidden_state')
    const frames = hidden.dims[1] ?? 0

    const nothing = new Tensor('float32', new Float32Array(0), [1, heads, 0, headSize])
    const kept: Record<string, AnyTensor> = Object.fromEntries(
      keptNames.map((name) => [`past_key_values.${name}`, nothing]),
    )
    const chosen: { token: number; logProbability: number }[] = []
    const steps: StepAttention[] = []
    const maxSteps = Math.ceil((samples.length / modelSampleRate) * maxTokensPerSecond) + maxTokensBeside
    for (let token = startToken, step = 0; step < maxSteps; step += 1) {
      const outputs = await decoder.run({
        ...kept,
        input_ids: integers(BigInt64Array.of(BigInt(token))),
        encoder_hidden_states: hidden,
        // The mask of samples: the decoder makes that of frames itself.
        encoder_attention_mask: mask,
        use_cache_branch: new Tensor('bool', [step > 0], [1]),
      })
      steps.push(stepAttention((name) => floatsOf(outputs, name), frames))
      const next = likeliest(floatsOf(outputs, 'logits'))
      if (next.token === endToken) break
      chosen.push(next)
      token = next.token
      for (const name of keptNames) {
        // Those of the sound are the same at every step, and only the first step returns them.
        if (step > 0 && name.includes('encoder')) continue
        kept[`past_key_values.${name}`] = outputOf(outputs, `present.${name}`)
      }
    }
    const timed = chosen.map(({ token, logProbability }) => ({
      bytes: tokenBytes(tokens[token] ?? Buffer.alloc(0)),
      logProbability,
    }))
    return timeWords(samples, timed, steps)
  }

  return {
    run,
    close: async () => {
      await Promise.all([encoder.release(), decoder.release()])
    },
  }
}

/** Keys and values of every layer, which one step leaves for the next. */
const keptNames = Array.from({ length: layers }, (_, layer) =>
  ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((name) => `${layer}.${name}`),
).flat()

function outputOf(outputs: Session.OnnxValueMapType, name: string): AnyTensor {
  const output = outputs[name]
  if (!output) throw new Error(`the model returned no ${name}`)
  return output
}

/** The token with the highest score, and the logarithm of its probability. */
function likeliest(scores: Float32Array): { token: number; logProbability: number } {
  const best = scores.reduce((highest, score, token) => (score > (scores[highest] ?? 0) ? token : highest), 0)
  const top = scores[best] ?? 0
  const total = scores.reduce((sum, score) => sum + Math.exp(score - top), 0)
  return { token: best, logProbability: -Math.log(total) }
}

/** The tokens of a `tokenizer.bin`: for each, its length in one byte, or in two from 128 on, and its bytes. Throws RangeError for a file that is cut. */
export function readTokens(file: Buffer): Buffer[] {
  const tokens: Buffer[] = []
  for (let position = 0; position < file.length; ) {
    const first = file.readUInt8(position++)
    const length = first < 128 ? first : first - 128 + 128 * file.readUInt8(position++)
    tokens.push(file.subarray(position, position + length))
    position += length
    if (position > file.length) throw new RangeError('a token that is cut')
  }
  return tokens
}

/** What a token adds to the text: bytes of UTF-8, nothing for a token that controls the decoder. U+2581 stands for a space. */
export function tokenBytes(token: Buffer): Buffer {
  const text = token.toString()
  const [, hex] = /^<0x([0-9A-F]{2})>$/.exec(text) ?? []
  if (hex !== undefined) return Buffer.from(hex, 'hex')
  return /^<.*>$/.test(text) ? Buffer.alloc(0) : Buffer.from(text.replaceAll('\u2581', ' '))
}
