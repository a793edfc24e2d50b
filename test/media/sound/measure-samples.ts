import type { Envelope } from '../../../src/media/sound/envelope.ts'
import { createMeter, type MeterOptions } from '../../../src/media/sound/meter.ts'

/** The envelope of samples that come in pieces of so many frames, and then all that are left. */
export function measureSamples(
  samples: readonly number[],
  options: MeterOptions,
  pieceFrames: readonly number[] = [],
): Envelope {
  const meter = createMeter(options)
  let at = 0
  for (const frames of [...pieceFrames, samples.length]) {
    meter.push(Int16Array.from(samples.slice(at, at + frames * options.channels)))
    at += frames * options.channels
  }
  return meter.finish(0)
}
