import { z } from 'zod'

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
