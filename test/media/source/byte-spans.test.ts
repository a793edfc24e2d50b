import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalize } from '../../../src/core/segments.ts'
import { createByteSpans } from '../../../src/media/source/ranged-source.ts'

const span = fc.record({ start: fc.nat(200), length: fc.integer({ min: 1, max: 30 }) })

it('are the stretches that were added, joined where they touch', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 40 }), fc.nat(250), (added, at) => {
      const segments = added.map(({ start, length }) => ({ start, end: start + length }))
      const spans = createByteSpans()
      for (const segment of segments) spans.add(segment)
      expect(spans.endingAfter(at)).toEqual(normalize(segments).find(({ end }) => end > at))
    }),
    { numRuns: 500 },
  )
})

it('are added in no time where there are many', () => {
  const spans = createByteSpans()
  const count = 20_000
  const began = performance.now()
  for (let index = 0; index < count; index++) {
    const start = ((index * 7_919) % count) * 10
    spans.add({ start, end: start + 5 })
    spans.endingAfter(start + 5)
  }
  // Sorted anew each time, they would take most of a minute.
  expect(performance.now() - began).toBeLessThan(5_000)
})
