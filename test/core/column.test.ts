import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createColumn } from '../../src/core/many-numbers.ts'

it('a column has all numbers in their order, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.double(), { maxLength: 3_000 }), (numbers) => {
      const column = createColumn()
      for (const number of numbers) column.push(number)
      expect(column.values()).toEqual(Float64Array.from(numbers))
      expect(column.values()).toHaveLength(numbers.length)
    }),
    { numRuns: 20 },
  )
})
