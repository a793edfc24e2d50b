import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { LoadedModel } from '../models.ts'
import { loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'
import { createWordPieces } from './word-pieces.ts'

/** Of its sentence_bert_config.json: the model was trained on no longer ones. */
const maxTokens = 256

/** Loads all-MiniLM-L6-v2, which embeds sentences: the more alike two are, the larger the product of their vectors. */
export async function loadMiniLm(folder: string): Promise<LoadedModel<readonly string[], Float32Array[]>> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime()
  const session = await InferenceSession.create(path.join(folder, 'minilm.onnx'), sessionOptions)
  const readWordPieces = createWordPieces(await readFile(path.join(folder, 'vocabulary.txt'), 'utf8'), maxTokens)

  async function embed(sentence: string): Promise<Float32Array> {
    const tokens = readWordPieces(sentence)
    const integers = (values: readonly number[]) =>
      new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
    const { embedding } = await session.run({
      input_ids: integers(tokens),
      position_ids: integers([...tokens.keys()]),
    })
    const values = embedding?.data
    if (!(values instanceof Float32Array)) throw new Error('the model returned an unexpected output')
    const length = Math.hypot(...values)
    return values.map((value) => value / length)
  }

  return {
    run: async (sentences) => {
      const vectors: Float32Array[] = []
      for (const sentence of sentences) vectors.push(await embed(sentence))
      return vectors
    },
    close: () => session.release(),
  }
}
