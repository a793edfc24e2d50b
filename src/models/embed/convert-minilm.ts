import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { createOnnxGraph } from '../onnx-file.ts'

// all-MiniLM-L6-v2, of its config.json.
const layers = 6
const heads = 12
const headSize = 32
const size = heads * headSize
const epsilon = { float: 1e-12 }

/** Writes MiniLM as an ONNX model: the package has only its weights. The same weights give the same bytes on every platform. */
export async function convertMiniLm(original: string, installed: string): Promise<void> {
  await writeFile(installed, miniLmGraph(readSafetensors(await readFile(original))))
}

/** A BERT encoder for one sentence, whose embedding is the mean over its tokens. Devlin et al., https://arxiv.org/abs/1810.04805 */
function miniLmGraph(read: ReadTensor): Buffer {
  const { floats, integers, apply, input, output, write } = createOnnxGraph('minilm')
  const weights = (name: string) => floats(name, read(name))
  const add = (a: string, b: string) => apply('Add', [a, b])
  const normalize = (value: string, name: string) =>
    apply('LayerNormalization', [value, weights(`${name}.weight`), weights(`${name}.bias`)], { axis: 2, epsilon })
  const linear = (value: string, name: string) => {
    const matrix = floats(`${name}.weight`, transposed(read(`${name}.weight`)))
    return add(apply('MatMul', [value, matrix]), weights(`${name}.bias`))
  }

  const tokens = input('input_ids', 'int64', [1, 'tokens'])
  const positions = input('position_ids', 'int64', [1, 'tokens'])
  const byHead = integers('by_head', [1, -1, heads, headSize])
  const byToken = integers('by_token', [1, -1, size])
  const scale = floats('scale', floatsOf([1 / Math.sqrt(headSize)]))

  const embedded = (name: string, at: string) => apply('Gather', [weights(`embeddings.${name}_embeddings.weight`), at])
  // Every token is of the first of two sentences that a BERT can read.
  const { bytes } = read('embeddings.token_type_embeddings.weight')
  const first = floats('first_sentence', { shape: [size], bytes: bytes.subarray(0, size * 4) })
  let state = add(add(embedded('word', tokens), embedded('position', positions)), first)
  state = normalize(state, 'embeddings.LayerNorm')

  for (let layer = 0; layer < layers; layer += 1) {
    const name = `encoder.layer.${layer}`
    const projected = (part: string, perm: readonly number[]) =>
      apply('Transpose', [apply('Reshape', [linear(state, `${name}.attention.self.${part}`), byHead])], { perm })
    const query = projected('query', [0, 2, 1, 3])
    const key = projected('key', [0, 2, 3, 1])
    const value = projected('value', [0, 2, 1, 3])
    const attention = apply('Softmax', [apply('Mul', [apply('MatMul', [query, key]), scale])], { axis: 3 })
    const attended = apply('Transpose', [apply('MatMul', [attention, value])], { perm: [0, 2, 1, 3] })
    const joined = linear(apply('Reshape', [attended, byToken]), `${name}.attention.output.dense`)
    state = normalize(add(state, joined), `${name}.attention.output.LayerNorm`)
    const inner = apply('Gelu', [linear(state, `${name}.intermediate.dense`)])
    state = normalize(add(state, linear(inner, `${name}.output.dense`)), `${name}.output.LayerNorm`)
  }
  apply('ReduceMean', [state, integers('tokens_axis', [1])], { keepdims: 0 }, 'embedding')
  output('embedding', 'float', [1, size])
  return write()
}

function floatsOf(values: readonly number[]) {
  return { shape: [values.length], bytes: Buffer.from(Float32Array.from(values).buffer) }
}

/** A tensor of floats. */
export interface FloatTensor {
  readonly shape: readonly number[]
  /** Little-endian, row by row. */
  readonly bytes: Buffer
}

const header = z.record(
  z.string(),
  z.object({ dtype: z.string(), shape: z.array(z.int()), data_offsets: z.tuple([z.int(), z.int()]) }),
)

/** Reads a tensor of floats by its name. */
export type ReadTensor = (name: string) => FloatTensor

/** The tensors of a safetensors file: the length of a JSON header, the header, and the numbers. https://github.com/huggingface/safetensors */
export function readSafetensors(file: Buffer): ReadTensor {
  const start = 8 + Number(file.readBigUInt64LE(0))
  if (start > file.length) throw new RangeError('the weights are cut')
  const { __metadata__: _, ...described } = z.looseObject({}).parse(JSON.parse(file.subarray(8, start).toString()))
  const tensors = header.parse(described)
  return (name) => {
    const found = tensors[name]
    if (found?.dtype !== 'F32') throw new Error(`the weights have no floats ${name}`)
    const [from, to] = found.data_offsets
    if (from < 0 || to < from || start + to > file.length) throw new RangeError(`the weights of ${name} are cut`)
    return { shape: found.shape, bytes: file.subarray(start + from, start + to) }
  }
}

/** The matrix with rows and columns exchanged. */
export function transposed({ shape, bytes }: FloatTensor): FloatTensor {
  const [rows = 0, columns = 0] = shape
  const moved = Buffer.alloc(bytes.length)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      bytes.copy(moved, (column * rows + row) * 4, (row * columns + column) * 4, (row * columns + column + 1) * 4)
  return { shape: [columns, rows], bytes: moved }
}
