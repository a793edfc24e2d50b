import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxPriceOf, priceFor } from '../../src/billing/price.ts'
import { getChain } from '../../src/chains/chains.ts'
import { toUsd } from '../../src/core/money.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { wholeMedia } from '../../src/endpoints/parse-settings.ts'

const milliseconds = fc.nat(12 * 3_600_000)
const rate = fc.bigInt({ min: 0n, max: 1_000_000n })

describe('priceFor', () => {
  it('is the smallest whole amount that is not below the exact price', () => {
    fc.assert(
      fc.property(milliseconds, rate, (length, perMinute) => {
        const price = priceFor(length, perMinute)
        const exact = BigInt(length) * perMinute
        expect(price * 60_000n >= exact).toBe(true)
        expect((price - 1n) * 60_000n < exact).toBe(true)
      }),
    )
  })

  it('never falls for longer media', () => {
    fc.assert(
      fc.property(milliseconds, milliseconds, rate, (a, b, perMinute) => {
        expect(priceFor(a + b, perMinute) >= priceFor(a, perMinute)).toBe(true)
      }),
    )
  })

  it('of two parts is the price of the whole, or one micro-dollar more', () => {
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

describe('maxPriceOf', () => {
  const silence = liveEndpoint('audio/detect-silence')

  it('is unknown while the length of the media is unknown', () => {
    const job = { window: wholeMedia, settings: {} }
    expect(maxPriceOf(silence, { ...job, mediaSeconds: undefined })).toBeUndefined()
    expect(maxPriceOf(silence, { ...job, mediaSeconds: 73 })).toEqual({
      microUsd: 2_434n,
      billableMilliseconds: 73_000,
    })
  })

  it('uses the rate at which the job was accepted', () => {
    const job = { window: { startSeconds: 0, endSeconds: 60 }, settings: {}, mediaSeconds: undefined }
    expect(maxPriceOf(silence, { ...job, rateMicroUsdPerMinute: 500n })?.microUsd).toBe(500n)
  })
})

it('the README states the maximum price of an hour of podcast without its pauses', () => {
  const prices = getChain('remove-dead-space').steps.map((id) => {
    const max = maxPriceOf(liveEndpoint(id), { window: wholeMedia, settings: {}, mediaSeconds: 3_600 })
    return max?.microUsd ?? 0n
  })
  const [found = 0n, , made = 0n] = prices
  const inUsd = (amount: bigint) => `${toUsd(amount).toFixed(2)} USD`
  expect(readFileSync('README.md', 'utf8')).toContain(
    `Removing the pauses from an hour of podcast costs at most ${inUsd(prices.reduce((sum, price) => sum + price))}: ${inUsd(found)} to find them, and ${inUsd(made)} for an hour of output.`,
  )
})
