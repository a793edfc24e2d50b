import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTraceParent, parseTraceParent } from '../../src/telemetry/trace-parent.ts'

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))
    .filter((text) => /[^0]/.test(text))

describe('traceparent', () => {
  it('reads back what it writes', () => {
    const traceParent = fc.record({ traceId: hex(32), spanId: hex(16), isSampled: fc.boolean() })
    fc.assert(
      fc.property(traceParent, (value) => {
        expect(parseTraceParent(formatTraceParent(value))).toEqual(value)
      }),
    )
  })

  it.each([
    '',
    'hello',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  ])('takes %j for none', (text) => {
    expect(parseTraceParent(text)).toBeUndefined()
  })
})
