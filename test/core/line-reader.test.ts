import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineReader } from '../../src/core/line-reader.ts'
import { bytesTaken, chunkLengths, chunksOf } from '../mangled-bytes.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', '\n', '\r', ' '), maxLength: 200 })

function linesOf(chunks: Iterable<Buffer>, maxCharacters: number) {
  const [lines, starts]: [string[], string[]] = [[], []]
  const reader = lineReader({
    maxCharacters,
    onLine: (line) => lines.push(line),
    onLongLine: (start) => starts.push(start),
  })
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  return { lines, starts }
}

describe('lines in chunks of any length', () => {
  it('are those of the whole text, and of a longer one the start is passed on once', () => {
    fc.assert(
      fc.property(text, chunkLengths, fc.integer({ min: 1, max: 60 }), (given, lengths, maxCharacters) => {
        const { lines, starts } = linesOf(chunksOf(Buffer.from(given), lengths), maxCharacters)
        const all = given.replace(/\n$/, '').split('\n')
        const expected = given === '' ? [] : all
        expect(lines).toEqual(expected.filter((line) => line.length <= maxCharacters))
        expect(starts).toEqual(
          expected.filter((line) => line.length > maxCharacters).map((line) => line.slice(0, maxCharacters)),
        )
      }),
    )
  })

  it('take a time that grows with their bytes, however long the line', () => {
    // Each chunk copied with all before it would be 180 GB.
    const startedAt = performance.now()
    const { lines } = linesOf(chunksOf(Buffer.alloc(600_000, 'x'), [1]), 1_000_000)
    expect(lines).toEqual(['x'.repeat(600_000)])
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  it('are refused where the receiver of long ones refuses, before more is kept', () => {
    const refuse = () => {
      throw new Error('too long')
    }
    const { push } = lineReader({ maxCharacters: 10_000, onLine: () => {}, onLongLine: refuse })
    expect(bytesTaken(push, Buffer.from('short\n'), 'x')).toBe(10_000)
  })
})
