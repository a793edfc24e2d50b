import { expect, it } from 'vitest'
import { addingUp, cents } from '../../web/src/components/format.ts'

const seen = (amounts: readonly number[]) => addingUp(amounts).map((shown, index) => cents(amounts[index] ?? 0, shown))

it('amounts of a list are shown in cents that add up to their total', () => {
  expect(cents(0.015 + 0.014 + 0.014)).toBe('$0.04')
  expect(seen([0.015, 0.014, 0.014])).toEqual(['$0.02', '$0.01', '$0.01'])
  expect(cents(0.016 + 0.016 + 0.016)).toBe('$0.05')
  expect(seen([0.016, 0.016, 0.016])).toEqual(['$0.02', '$0.02', '$0.01'])
  expect(seen([1.29, 0.57, 0])).toEqual(['$1.29', '$0.57', '$0.00'])
})

it('what is less than a cent is not nothing', () => {
  expect(seen([0.004, 0.000001, 0.006])).toEqual(['<$0.01', '<$0.01', '$0.01'])
  expect(seen([])).toEqual([])
})
