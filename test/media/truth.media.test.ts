import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import { runEndpoint } from '../endpoints/run-endpoint.ts'
import { fixture } from '../fixtures/make.ts'
import type { FixtureName } from '../fixtures/recipes.ts'

const resultShape = z.object({ silences: z.array(z.object({ start: z.number(), end: z.number() })) })

async function silencesOf(name: FixtureName, threshold = -20) {
  const settings = { threshold, min_silence_seconds: 0.2 }
  const { result } = await runEndpoint(detectSilenceEndpoint, { file: await fixture(name), settings })
  return resultShape.parse(result).silences
}

/** Beeps sound in the first half of every second, from `firstSeconds` on. */
async function largestError(name: FixtureName, firstSeconds: number, count: number) {
  const silences = (await silencesOf(name)).filter(({ start }) => start > firstSeconds + 0.1).slice(0, count)
  expect(silences).toHaveLength(count)
  const errors = silences.flatMap(({ start, end }, index) => [
    start - (firstSeconds + index + 0.5),
    end - (firstSeconds + index + 1),
  ])
  return Math.max(...errors.map(Math.abs))
}

describe('silences lie within 10 ms of the truth', () => {
  it.each([
    ...(['beeps.mp4', 'beeps.mov', 'beeps.m4v', 'beeps.webm', 'beeps.mp3', 'beeps.wav'] as const),
    ...(['beeps.m4a', 'beeps.ogg', 'numbered.mp4', 'ntsc.mp4', 'variable.webm', 'slides.mp4'] as const),
    ...(['beeps.flac', 'beeps.aiff', 'beeps.opus', 'beeps.mka', 'beeps.mkv'] as const),
  ])('in %s', async (name) => {
    expect(await largestError(name, 0, 4)).toBeLessThan(0.01)
  })

  it('in raw AAC, but for the 21 ms of encoder delay that it cannot tell of', async () => {
    expect(await largestError('beeps.aac', 1024 / 48_000, 4)).toBeLessThan(0.01)
  })

  it('where the audio starts late', async () => {
    expect(await largestError('late-audio.mp4', 1.25, 4)).toBeLessThan(0.01)
    expect((await silencesOf('late-audio.mp4'))[0]).toEqual(
      expect.objectContaining({ start: 0, end: expect.closeTo(1.25, 2) }),
    )
  })

  it('where the whole media starts late', async () => {
    // Its encoder delay is stored as sound: the media starts with it.
    expect(await largestError('late.mp4', 1024 / 48_000, 5)).toBeLessThan(0.01)
    expect(await largestError('late.webm', 0, 4)).toBeLessThan(0.01)
  })

  it('where the timestamps have a gap', async () => {
    const [gap] = await silencesOf('long-gap.mp4', -40)
    expect(Math.abs((gap?.start ?? 0) - 12)).toBeLessThan(0.03)
    expect(Math.abs((gap?.end ?? 0) - 28)).toBeLessThan(0.03)
  })
})
