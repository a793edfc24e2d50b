import { expect, it } from 'vitest'
import { makeNumbers, medianOf, sortNumbers } from '../../src/core/many-numbers.ts'
import { longestWork, tooLongMs } from '../longest-work.ts'

/** Different for each index, in no order. */
const shuffled = (length: number) => Float64Array.from({ length }, (_, index) => Math.sin(index))

it.each([0, 1, 65_536, 65_537, 131_072, 200_000, 262_145])('sorts %d numbers', async (length) => {
  expect(await sortNumbers(shuffled(length))).toEqual(shuffled(length).sort())
})

it('sorts two million numbers in turns', async () => {
  const numbers = shuffled(2_000_000)
  expect(await longestWork(() => sortNumbers(numbers))).toBeLessThan(tooLongMs)
})

it('makes the numbers of all indexes', async () => {
  expect(await makeNumbers(3, (index) => index * 2)).toEqual(Float64Array.of(0, 2, 4))
})

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 3],
  [[10, 9], 10],
  [[], undefined],
])('finds the median of %j', (values, median) => {
  expect(medianOf(values)).toBe(median)
})
