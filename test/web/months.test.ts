import { expect, it } from 'vitest'
import { daysOf, lastMonths, monthInWords } from '../../web/src/components/months.ts'

it('months are those of UTC, newest first, over the turn of the year', () => {
  expect(lastMonths(new Date('2026-02-28T23:59:59Z'), 3)).toEqual(['2026-02', '2026-01', '2025-12'])
  expect(monthInWords('2026-02')).toBe('February 2026')
})

it('a month has all its days', () => {
  expect(daysOf('2028-02')).toHaveLength(29)
  expect(daysOf('2026-12').at(-1)).toBe('2026-12-31')
})
