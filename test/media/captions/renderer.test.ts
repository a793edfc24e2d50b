import { describe, expect, it } from 'vitest'
import { withMemoryLimit } from '../../../src/media/captions/renderer.ts'

/** A module with a memory of one page, which it exports by the name m. */
const module = Buffer.concat([
  Buffer.from('0061736d01000000', 'hex'),
  Buffer.from('0503010001', 'hex'),
  Buffer.from('070501016d0200', 'hex'),
])

function memoryOf(bytes: Buffer): WebAssembly.Memory {
  const { m: memory } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports
  if (memory instanceof WebAssembly.Memory) return memory
  throw new Error('the module exports no memory')
}

describe('the memory of a module', () => {
  it('grows up to its limit', () => {
    expect(memoryOf(module).grow(1_000)).toBe(1)
    const memory = memoryOf(withMemoryLimit(module, 300))
    expect(memory.grow(299)).toBe(1)
    expect(() => memory.grow(1)).toThrow(RangeError)
  })

  it('has to be there', () => {
    expect(() => withMemoryLimit(module.subarray(0, 8), 300)).toThrow('no memory')
  })
})
