import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Segment } from '../../src/core/segments.ts'
import { createSilenceScanner } from '../../src/media/silence-scanner.ts'

const sampleRate = 10
const amplitude = 0.01

/** The definition, frame by frame. */
function silencesOf(samples: readonly number[], channels: number, minFrames: number): Segment[] {
  const silences: Segment[] = []
  let start = 0
  const frames = samples.length / channels
  for (let frame = 0; frame <= frames; frame++) {
    const values = samples.slice(frame * channels, (frame + 1) * channels)
    if (frame < frames && values.every((value) => Math.abs(value) < 327)) continue
    if (frame - start >= minFrames) silences.push({ start: start / sampleRate, end: frame / sampleRate })
    start = frame + 1
  }
  return silences
}

it('finds what the definition says, however the samples are cut into pieces', () => {
  const sample = fc.constantFrom(0, 0, 0, 326, -326, 327, -327, 5_000, -32_768)
  fc.assert(
    fc.property(
      fc.array(sample, { maxLength: 120 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat(20), { maxLength: 10 }),
      (all, channels, minFrames, pieces) => {
        const samples = all.slice(0, all.length - (all.length % channels))
        const scanner = createSilenceScanner({
          sampleRate,
          channels,
          amplitude,
          minSilenceSeconds: minFrames / sampleRate,
        })
        let at = 0
        for (const piece of [...pieces, samples.length]) {
          scanner.push(Int16Array.from(samples.slice(at, at + piece * channels)))
          at += piece * channels
        }
        expect(scanner.finish()).toEqual(silencesOf(samples, channels, minFrames))
      },
    ),
  )
})
