import { describe, expect, it } from 'vitest'
import { type Alignment, alignSound, comparedLevels, type SoundLevels } from '../../../src/media/sound/align-sound.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

/** The same numbers for the same seed (xorshift, Marsaglia, 2003). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** The loudness of made talk in each half millisecond: syllables of 60 to 240 ms, with a pause after some. */
function talk(seconds: number, seed: number): Float32Array {
  const random = randomOf(seed)
  const levels = new Float32Array(seconds * 2_000)
  for (let at = 0; at < levels.length; ) {
    const length = 120 + Math.floor(random() * 360)
    const loudness = 0.05 + random() ** 2 * 0.6
    for (let step = 0; step < length; step += 1) levels[at + step] = loudness * Math.sin((Math.PI * step) / length)
    at += length + Math.floor(random() * 120) + (random() < 0.15 ? Math.floor(random() * 3_000) : 0)
  }
  return levels
}

interface Camera {
  /** When it begins, in the talk. */
  readonly start: number
  readonly seconds: number
  readonly driftPpm?: number
  readonly gain?: number
  readonly noise?: number
  readonly echo?: number
  readonly seed?: number
}

function record(
  levels: Float32Array,
  { start, seconds, driftPpm = 0, gain = 1, noise = 0.002, echo = 0, seed = 7 }: Camera,
): SoundLevels {
  const random = randomOf(seed)
  const levelAt = (at: number) => levels[Math.round(at * 2_000)] ?? 0
  const peaks = new Uint16Array(seconds * 1_000)
  const squares = new Float32Array(seconds * 100)
  for (const [at] of peaks.entries()) {
    const moment = start + (at / 1000) * (1 + driftPpm / 1e6)
    const level = gain * (levelAt(moment) + echo * levelAt(moment - 0.08)) * (0.6 + 0.4 * random()) + noise * random()
    peaks[at] = Math.min(32_767, level * 32_768)
    const cell = Math.floor(at / 10)
    squares[cell] = (squares[cell] ?? 0) + level * level * 16
  }
  return { peaks, squares }
}

async function aligned(reference: SoundLevels, other: SoundLevels) {
  return alignSound(await comparedLevels(reference), await comparedLevels(other))
}

describe('two recordings of the same talk', () => {
  const hour = talk(4_900, 11)
  const reference = record(hour, { start: 0, seconds: 3_600 })

  it.each([
    { start: 0, seconds: 3_600, driftPpm: 40, gain: 0.2, noise: 0.01, echo: 0.4 },
    { start: 1_200.317, seconds: 3_600, driftPpm: -40, gain: 2, noise: 0.03 },
    { start: 612.5, seconds: 900, echo: 0.6, noise: 0.02 },
    { start: 30.123, seconds: 40, noise: 0.005 },
  ])('are aligned to 10 ms at every minute: %j', async (camera) => {
    const found = await aligned(reference, record(hour, { ...camera, seed: 23 }))
    expect(found?.confidence).toBeGreaterThan(0.8)
    const { offsetSeconds = NaN, driftPpm = NaN, residualSeconds = NaN } = found ?? {}
    expect(residualSeconds).toBeLessThan(0.005)
    for (let seconds = 0; seconds <= camera.seconds; seconds += 60) {
      const expected = camera.start + seconds * (1 + (camera.driftPpm ?? 0) / 1e6)
      expect(Math.abs(offsetSeconds + seconds * (1 + driftPpm / 1e6) - expected)).toBeLessThan(0.01)
    }
  })

  it('are aligned whichever began first, and lets other work have its turns', async () => {
    const later = record(hour, { start: 600, seconds: 3_000, driftPpm: 20, seed: 5 })
    let found: Alignment | undefined
    const longest = await longestWork(async () => {
      found = await aligned(later, reference)
    })
    expect(found?.offsetSeconds).toBeCloseTo(-600, 1)
    expect(longest).toBeLessThan(tooLongMs)
  })

  it('are not aligned if they have nothing in common', async () => {
    expect(await aligned(reference, record(talk(900, 99), { start: 0, seconds: 900 }))).toBeUndefined()
    expect(await aligned(reference, record(hour, { start: 0, seconds: 900, gain: 0 }))).toBeUndefined()
    expect(await aligned(record(hour, { start: 0, seconds: 60, gain: 0, noise: 0 }), reference)).toBeUndefined()
    expect(await aligned(reference, { peaks: new Uint16Array(0), squares: new Float32Array(0) })).toBeUndefined()
  })
})
