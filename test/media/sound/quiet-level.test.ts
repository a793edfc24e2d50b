import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDbfs } from '../../../src/core/media.ts'
import type { Envelope } from '../../../src/media/sound/envelope.ts'
import { findSilences, quietLevel } from '../../../src/media/sound/silences.ts'

/** An envelope with these peaks in dBFS, one a millisecond. */
function envelopeOf(peaksDb: readonly number[]): Envelope {
  const endMs = Math.ceil(peaksDb.length / 10) * 10
  const peaks = new Uint16Array(endMs)
  peaks.set(peaksDb.map((db) => Math.round(32_768 * 10 ** (db / 20))))
  return {
    ...{ startMs: 0, endMs, sampleRate: 8_000, frames: endMs * 8, decodeErrors: 0 },
    peaks,
    squares: new Float32Array(endMs / 10),
  }
}

const whole = (envelope: Envelope) => ({ start: 0, end: envelope.endMs / 1000 })
const levelOf = async (peaksDb: readonly number[]) => {
  const envelope = envelopeOf(peaksDb)
  return toDbfs(await quietLevel(envelope, whole(envelope)))
}
const silencesOf = async (peaksDb: readonly number[]) => {
  const envelope = envelopeOf(peaksDb)
  const window = whole(envelope)
  return findSilences(envelope, { window, amplitude: await quietLevel(envelope, window), minSilenceSeconds: 0.5 })
}

/** Sound of one kind for a time: each millisecond is up to 3 dB below the level. */
const stretch = (seconds: number, db: number) =>
  Array.from({ length: seconds * 1000 }, (_, at) => db - ((at * 7919) % 31) / 10)

/** Words at a level, with soft ends and short stops, over noise. */
const words = (seconds: number, db: number, noiseDb: number) =>
  Array.from({ length: seconds * 1000 }, (_, at) => Math.max(noiseDb - (at % 3), db - 25 * ((at % 400) / 400)))

const talk = (db: number, noiseDb: number) =>
  [0.8, 2, 0.6, 1.2].flatMap((pause, index) => [...words(2 + index, db, noiseDb), ...stretch(pause, noiseDb)])

const shifted = (peaksDb: readonly number[], by: number) => peaksDb.map((db) => db + by)

describe('the quiet level', () => {
  it('moves with the gain of the recording, down to speech at -60 dBFS', async () => {
    const noise = fc.integer({ min: -80, max: -35 })
    await fc.assert(
      fc.asyncProperty(noise, fc.integer({ min: -55, max: 0 }), async (noiseDb, gainDb) => {
        const recording = talk(-5, noiseDb)
        const quieter = shifted(recording, gainDb)
        const found = await silencesOf(quieter)
        const expected = await silencesOf(recording)
        expect(found).toHaveLength(expected.length)
        for (const [index, { start, end }] of expected.entries()) {
          expect(Math.abs((found[index]?.start ?? 0) - start)).toBeLessThan(0.05)
          expect(Math.abs((found[index]?.end ?? 0) - end)).toBeLessThan(0.05)
        }
      }),
      { numRuns: 12 },
    )
  })

  it('never falls when the recording gets louder, or its noise does', async () => {
    const gains = await Promise.all(Array.from({ length: 20 }, (_, step) => levelOf(shifted(talk(-3, -50), -3 * step))))
    expect(gains).toEqual(gains.toSorted((a, b) => b - a))
    const noises = await Promise.all(Array.from({ length: 20 }, (_, step) => levelOf(talk(-3, -25 - 3 * step))))
    expect(noises).toEqual(noises.toSorted((a, b) => b - a))
  })

  it.each([-70, -55, -45, -38, -30])('lies above noise at %i dBFS and below speech at -5', async (noiseDb) => {
    expect(await silencesOf(talk(-5, noiseDb))).toHaveLength(4)
    expect(await levelOf(talk(-5, noiseDb))).toBeGreaterThan(noiseDb)
    expect(await levelOf(talk(-5, noiseDb))).toBeLessThan(-5 - 11)
  })

  it('makes no part of steady noise, of hum or of music without pauses quiet, at any gain', async () => {
    const noise = stretch(20, 0)
    const hum = Array.from({ length: 20_000 }, (_, at) => -((at % 10) / 10))
    const music = Array.from({ length: 20_000 }, (_, at) => -14 * ((at % 500) / 500))
    for (const recording of [noise, hum, music])
      for (const gainDb of [0, -20, -40, -55]) expect(await silencesOf(shifted(recording, gainDb))).toEqual([])
  })

  it('makes all of digital silence and of dither quiet', async () => {
    const dither = Array.from({ length: 5_000 }, (_, at) => (at % 2 === 0 ? -90.3 : -150))
    for (const recording of [Array.from({ length: 5_000 }, () => -150), dither])
      expect(await silencesOf(recording)).toEqual([{ start: 0, end: 5 }])
    expect(await levelOf([])).toBeCloseTo(-84, 5)
  })

  it('is not raised by a click, however loud', async () => {
    const recording = talk(-35, -70)
    const clicked = recording.map((db, at) => (at >= 5_000 && at < 5_010 ? 0 : db))
    expect(await levelOf(clicked)).toBeCloseTo(await levelOf(recording), 1)
  })

  it('hears the few words of a recording that is mostly noise', async () => {
    const recording = [...stretch(40, -55), ...words(1.5, -10, -55), ...stretch(40, -55)]
    expect(await silencesOf(recording)).toEqual([
      { start: 0, end: expect.closeTo(40, 1) },
      { start: expect.closeTo(41.5, 1), end: 81.5 },
    ])
  })

  it('reads the noise of the recording, not of gaps in it without any', async () => {
    const noisy = talk(-5, -30)
    const gap = Array.from({ length: 8_000 }, () => -150)
    expect(await levelOf([...gap, ...noisy, ...gap])).toBeCloseTo(await levelOf(noisy), 0)
  })

  it('is of the window alone', async () => {
    const envelope = envelopeOf([...talk(-40, -75), ...talk(-5, -40)])
    const middle = envelope.endMs / 2000
    const quiet = toDbfs(await quietLevel(envelope, { start: 0, end: middle }))
    expect(toDbfs(await quietLevel(envelope, { start: middle, end: middle * 2 })) - quiet).toBeCloseTo(35, 0)
  })
})
