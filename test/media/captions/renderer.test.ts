import { describe, expect, it } from 'vitest'
import { withMemoryLimit } from '../../../src/media/captions/renderer.ts'

const bytes = (...parts: readonly string[]) => Buffer.from(parts.join(''), 'hex')
/** Of a module, and an export of its memory by the name m. */
const [header, memoryExport] = ['0061736d01000000', '070501016d0200']

describe('the memory of a module', () => {
  it.each([
    ['without a limit', '0503010001'],
    ['with a higher one', '0506010101808004'],
  ])('%s gets one', (_what, memory) => {
    // One memory, which is limited, of one page at first and of 300 at most: 2 × 128 + 44.
    const limited = bytes(header, '0505010101ac02', memoryExport)
    expect(withMemoryLimit(bytes(header, memory, memoryExport), 300)).toEqual(limited)
  })

  it('has to be there', () => {
    expect(() => withMemoryLimit(bytes(header, memoryExport), 300)).toThrow('no memory')
  })
})
