import fc from 'fast-check'
import { expect, it } from 'vitest'
import { highestPeak, indexPeaks } from '../../../src/media/sound/energy.ts'
import { measureSamples } from './measure-samples.ts'

it('is the highest of the values asked for, wherever they begin and end', async () => {
  const values = fc.array(fc.integer({ min: 0, max: 32_767 }), { maxLength: 400 })
  const index = fc.integer({ min: -5, max: 420 })
  await fc.assert(
    fc.asyncProperty(values, index, index, async (samples, first, end) => {
      const endMs = Math.ceil(samples.length / 10) * 10
      const envelope = measureSamples(samples, { startMs: 0, endMs, sampleRate: 1_000, channels: 1 })
      const expected = Math.max(0, ...samples.slice(Math.max(0, first), Math.max(0, end)))
      expect(highestPeak(envelope, first, end)).toBe(expected)
      await indexPeaks(envelope)
      expect(highestPeak(envelope, first, end)).toBe(expected)
    }),
  )
})
