import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lowerBound } from '../../src/core/many-numbers.ts'

describe('lowerBound', () => {
  it('finds the index that a scan from the start finds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 20 })), fc.integer({ min: -25, max: 25 }), (values, wanted) => {
        const sorted = values.toSorted((a, b) => a - b)
        const scanned = sorted.findIndex((value) => value >= wanted)
        expect(lowerBound(sorted, (value) => value < wanted)).toBe(scanned < 0 ? sorted.length : scanned)
      }),
    )
  })
})
