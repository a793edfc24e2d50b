import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeEnvelope } from '../../../src/media/sound/envelope.ts'
import {
  coarseTile,
  fineTile,
  levelsOf,
  pointMilliseconds,
  readCoarseWaveform,
  tilePoints,
} from '../../../src/media/sound/waveform-tiles.ts'

const sampleRate = 8_000

/** An envelope as it is stored, with a peak for each millisecond, and cells of the level of a sine with these peaks. */
function storedEnvelope(peaks: readonly number[], chunkBytes = 65_536) {
  const endMs = peaks.length
  const squares = Float32Array.from({ length: endMs / 10 }, (_, cell) => {
    const own = peaks.slice(cell * 10, cell * 10 + 10)
    return own.reduce((sum, peak) => sum + (peak ** 2 / 2) * (sampleRate / 1000), 0)
  })
  const file = encodeEnvelope({
    ...{ startMs: 0, endMs, sampleRate, frames: (endMs * sampleRate) / 1000, decodeErrors: 0 },
    ...{ peaks: Uint16Array.from(peaks), squares },
  })
  const read = async (start = 0, end = file.length - 1) => {
    const part = file.subarray(start, end + 1)
    const chunks = Math.ceil(part.length / chunkBytes)
    return Readable.from(
      Array.from({ length: chunks }, (_, index) => part.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
    )
  }
  return { startMs: 0, endMs, sampleRate, read }
}

const byteOf = (amplitude: number) => Math.round(((Math.max(-90, 20 * Math.log10(amplitude)) + 90) / 90) * 255)

describe('a tile of a waveform', () => {
  it('has the highest peak and the RMS of each point, on a scale of -90 to 0 dBFS', async () => {
    const peaks = Array.from({ length: 20_000 }, (_, ms) => (ms < 10_000 ? 32_768 * 0.5 : 0))
    const stored = storedEnvelope(peaks.map((peak) => Math.min(peak, 32_768)))
    const tile = await fineTile(stored, 2, 0)
    expect(tile).toHaveLength(2 * tilePoints)
    expect([tile[0], tile[624], tile[626]]).toEqual([byteOf(0.5), byteOf(0.5), 0])
    expect(Math.abs((tile[tilePoints] ?? 0) - byteOf(0.5 / Math.SQRT2))).toBeLessThanOrEqual(1)
    const coarse = coarseTile(await readCoarseWaveform(stored), 4, 0)
    expect([coarse[0], coarse[38], coarse[40]]).toEqual([byteOf(0.5), byteOf(0.5), 0])
    expect(Math.abs((coarse[tilePoints] ?? 0) - byteOf(0.5 / Math.SQRT2))).toBeLessThanOrEqual(1)
  })

  it('shows every peak at every level, in whatever chunks the file comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 0, max: 29_999 }),
        fc.integer({ min: 1, max: 32_768 }),
        fc.integer({ min: 1, max: 7_000 }),
        async (cells, at, peak, chunkBytes) => {
          const peaks = Array.from({ length: cells * 10 }, () => 0)
          const where = at % peaks.length
          peaks[where] = peak
          const stored = storedEnvelope(peaks, chunkBytes)
          const coarse = await readCoarseWaveform(stored)
          for (const { level, tiles } of levelsOf(stored)) {
            const point = Math.floor(where / pointMilliseconds(level))
            const [tile, inTile] = [Math.floor(point / tilePoints), point % tilePoints]
            expect(tile).toBeLessThan(tiles)
            const bytes = level < 4 ? await fineTile(stored, level, tile) : coarseTile(coarse, level, tile)
            const drawn = [...bytes.subarray(0, tilePoints)].flatMap((byte, index) => (byte > 0 ? [index] : []))
            expect(drawn).toEqual(byteOf(peak / 32_768) > 0 ? [inTile] : [])
            expect(bytes[inTile]).toBe(byteOf(peak / 32_768))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('of the last level has all of the sound', () => {
    const twelveHours = { startMs: 0, endMs: 12 * 3_600_000 }
    const levels = levelsOf(twelveHours)
    expect(levels[0]).toEqual({ level: 0, ms_per_point: 1, tiles: 42_188 })
    expect(levels.at(-1)?.tiles).toBe(1)
    expect(levels.at(-2)?.tiles).toBeGreaterThan(1)
  })
})
