import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { billingMonth, fromUsd, microUsd, priceFor, toUsd } from '../../src/core/money.ts'

const milliseconds = fc.nat(12 * 3_600_000)
const rate = fc.bigInt({ min: 0n, max: 1_000_000n })

describe('priceFor', () => {
  it('is the least whole amount that is not below the exact price', () => {
    fc.assert(
      fc.property(milliseconds, rate, (length, perMinute) => {
        const price = priceFor(length, perMinute)
        const exact = BigInt(length) * perMinute
        expect(price * 60_000n >= exact).toBe(true)
        expect((price - 1n) * 60_000n < exact).toBe(true)
      }),
    )
  })

  it('never falls when the media grows', () => {
    fc.assert(
      fc.property(milliseconds, milliseconds, rate, (a, b, perMinute) => {
        expect(priceFor(a + b, perMinute) >= priceFor(a, perMinute)).toBe(true)
      }),
    )
  })

  it('of two parts is that of the whole, or one micro-dollar more', () => {
    fc.assert(
      fc.property(milliseconds, milliseconds, rate, (a, b, perMinute) => {
        const difference = priceFor(a, perMinute) + priceFor(b, perMinute) - priceFor(a + b, perMinute)
        expect([0n, 1n]).toContain(difference)
      }),
    )
  })

  it.each([
    [60_000, 2_000n, 2_000n],
    [73_000, 2_000n, 2_434n],
    [1, 2_000n, 1n],
    [60_001, 1n, 2n],
    [0, 2_000n, 0n],
    [60_000, 0n, 0n],
  ])('%d ms at %d micro-dollars a minute is %d', (length, perMinute, price) => {
    expect(priceFor(length, perMinute)).toBe(price)
  })

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d ms', (length) => {
    expect(() => priceFor(length, 1n)).toThrow(RangeError)
  })
})

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
  it('gives back what toUsd showed', () => {
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

it('microUsd takes whole amounts only', () => {
  expect(microUsd(2_000)).toBe(2_000n)
  expect(() => microUsd(0.5)).toThrow(RangeError)
})

it('billingMonth turns over at midnight UTC', () => {
  expect(billingMonth(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01')
  expect(billingMonth(new Date('2026-02-01T00:00:00.000Z'))).toBe('2026-02')
  expect(billingMonth(new Date('2026-02-01T00:30:00.000+01:00'))).toBe('2026-01')
})
