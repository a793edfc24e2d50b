import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { billingMonth, fromUsd, microUsd, monthBefore, toUsd } from '../../src/core/money.ts'

describe('toUsd', () => {
  it('loses nothing to the float', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (amount) => {
        expect(BigInt(Math.round(toUsd(amount) * 1_000_000))).toBe(amount)
      }),
    )
  })

  it('shows a price as people write it', () => {
    expect(JSON.stringify([2_434n, 5_000_000n, 20_000n].map(toUsd))).toBe('[0.002434,5,0.02]')
  })
})

describe('fromUsd', () => {
  it('is the inverse of toUsd', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (amount) => {
        expect(fromUsd(toUsd(amount))).toBe(amount)
      }),
    )
  })

  it.each([
    ['0', 0n],
    ['0.1', 100_000n],
    ['0.000001', 1n],
    ['19.99', 19_990_000n],
    ['100', 100_000_000n],
    ['999999999.999999', 999_999_999_999_999n],
    ['1e9', 1_000_000_000_000_000n],
  ])('reads %s', (json, amount) => {
    expect(fromUsd(Number(json))).toBe(amount)
  })

  it.each(['-1', '-0.000001', '0.0000001', '0.1234567', '1000000001', '1e21'])('refuses %s', (json) => {
    expect(() => fromUsd(Number(json))).toThrow(RangeError)
  })
})

it('microUsd accepts only whole amounts', () => {
  expect(microUsd(2_000)).toBe(2_000n)
  expect(() => microUsd(0.5)).toThrow(RangeError)
})

it('billingMonth changes at midnight UTC', () => {
  expect(billingMonth(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01')
  expect(billingMonth(new Date('2026-02-01T00:00:00.000Z'))).toBe('2026-02')
  expect(billingMonth(new Date('2026-02-01T00:30:00.000+01:00'))).toBe('2026-01')
})

it.each([
  ['2026-11-01T04:00:00Z', '2026-10'],
  ['2026-01-31T23:59:59Z', '2025-12'],
  ['2026-03-31T12:00:00Z', '2026-02'],
])('the month before %s is %s', (at, month) => {
  expect(monthBefore(new Date(at))).toBe(month)
})
