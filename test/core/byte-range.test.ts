import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseByteRange } from '../../src/core/served-file.ts'

describe('parseByteRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-4', { start: 2, end: 4 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=5-99', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=4-2', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes = 0-1', 'whole'],
    ['items=0-1', 'whole'],
    ['', 'whole'],
    [`bytes=0-${'9'.repeat(400)}`, { start: 0, end: 9 }],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
  ] as const)('reads %j of ten bytes', (header, expected) => {
    expect(parseByteRange(header, 10)).toEqual(expected)
  })

  it('finds nothing in an empty object', () => {
    expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable')
    expect(parseByteRange('bytes=-1', 0)).toBe('unsatisfiable')
  })

  it.each([
    [
      'a first and a last byte',
      (first: number, more: number) => ({ header: `${first}-${first + more}`, from: first, to: first + more + 1 }),
    ],
    ['a first byte', (first: number) => ({ header: `${first}-`, from: first, to: Infinity })],
    [
      'a suffix',
      (length: number, _more: number, bytes: number) => ({
        header: `-${length}`,
        from: Math.max(0, bytes - length),
        to: Infinity,
      }),
    ],
  ])('slices by %s as an array does', (_what, write) => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(50), (first, more, bytes) => {
        const { header, from, to } = write(first, more, bytes)
        const all = Array.from({ length: bytes }, (_, index) => index)
        const range = parseByteRange(`bytes=${header}`, bytes)
        const sliced = typeof range === 'object' ? all.slice(range.start, range.end + 1) : range
        expect(sliced).toEqual(from < bytes && from < to ? all.slice(from, to) : 'unsatisfiable')
      }),
    )
  })

  it('accepts any text', () => {
    fc.assert(fc.property(fc.string(), fc.nat(), (header, bytes) => void parseByteRange(header, bytes)))
  })
})
