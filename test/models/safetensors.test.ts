import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readSafetensors } from '../../src/models/embed/convert-minilm.ts'
import { survivesMangling } from '../mangled-bytes.ts'

const described = { __metadata__: { format: 'pt' }, bias: { dtype: 'F32', shape: [2, 2], data_offsets: [4, 20] } }
const header = Buffer.from(JSON.stringify(described))
const length = Buffer.alloc(8)
length.writeBigUInt64LE(BigInt(header.length))
const numbers = Buffer.from(Float32Array.from([9, 1, 2, 3, 4]).buffer)
const weights = Buffer.concat([length, header, numbers])

describe('weights in a safetensors file', () => {
  it('are read by their name', () => {
    expect(readSafetensors(weights)('bias')).toEqual({ shape: [2, 2], bytes: numbers.subarray(4) })
  })

  it('that are cut are refused', () => {
    expect(() => readSafetensors(weights.subarray(0, -1))('bias')).toThrow('cut')
    expect(() => readSafetensors(weights.subarray(0, 20))).toThrow('cut')
  })

  it('that are mangled are read, or refused where they are cut', async () => {
    await survivesMangling({
      samples: [weights],
      parse: (_, whole) => readSafetensors(whole)('bias').bytes.length,
      isDeclared: (error) =>
        error instanceof RangeError ||
        error instanceof SyntaxError ||
        error instanceof z.ZodError ||
        String(error).includes('the weights have no floats'),
    })
  })
})
