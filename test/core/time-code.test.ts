import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTimeCode, parseTimeCode, roundToMillisecond, toMilliseconds } from '../../src/core/time-code.ts'

const milliseconds = fc.nat(100 * 3_600_000)

describe('parseTimeCode', () => {
  it.each([
    [12.5, 12.5],
    [0, 0],
    ['12.5', 12.5],
    [' 7 ', 7],
    ['00:07', 7],
    ['1:02', 62],
    ['01:02.250', 62.25],
    ['1:00:00', 3_600],
    ['01:02:03.004', 3_723.004],
    ['100:00:00', 360_000],
  ])('reads %j as %d s', (text, seconds) => {
    expect(parseTimeCode(text)).toBeCloseTo(seconds, 9)
  })

  it.each(['', '   '])('reads blank %j as nothing', (text) => {
    expect(parseTimeCode(text)).toBeUndefined()
  })

  it.each([
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '-1',
    '1e3',
    '0x10',
    'Infinity',
    '12,5',
    '1:60',
    '1:61:00',
    '1:2:3:4',
    ':30',
    '30:',
    '1.5:00',
    '٣',
    '12s',
    '1 2',
  ])('refuses %j', (text) => {
    expect(() => parseTimeCode(text)).toThrow(RangeError)
  })

  it('reads any text as a finite time of at least 0, or as blank, or refuses it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789:. -e') }), (text) => {
        try {
          const seconds = parseTimeCode(text)
          expect(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
    )
  })
})

describe('formatTimeCode', () => {
  it('parses back to the same millisecond', () => {
    fc.assert(
      fc.property(milliseconds, (time) => {
        expect(toMilliseconds(parseTimeCode(formatTimeCode(time / 1000)) ?? -1)).toBe(time)
      }),
    )
  })

  it('sorts like the times below 100 hours', () => {
    fc.assert(
      fc.property(fc.nat(99 * 3_600_000), fc.nat(99 * 3_600_000), (a, b) => {
        expect(formatTimeCode(a / 1000) < formatTimeCode(b / 1000)).toBe(a < b)
      }),
    )
  })

  it.each([
    [0, '00:00:00.000'],
    [59.9996, '00:01:00.000'],
    [3_599.9995, '01:00:00.000'],
    [3_723.004, '01:02:03.004'],
  ])('writes %d s as %s', (seconds, text) => {
    expect(formatTimeCode(seconds)).toBe(text)
  })
})

it('reads minutes above 59 without hours', () => {
  expect(parseTimeCode('90:00')).toBe(5_400)
  expect(() => parseTimeCode('1:90:00')).toThrow(RangeError)
})

it('roundToMillisecond moves a time by at most half a millisecond, and a rounded time not at all', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 86_400, noNaN: true }), (seconds) => {
      const rounded = roundToMillisecond(seconds)
      expect(Math.abs(rounded - seconds)).toBeLessThanOrEqual(0.0005 + 1e-9)
      expect(roundToMillisecond(rounded)).toBe(rounded)
    }),
  )
})
