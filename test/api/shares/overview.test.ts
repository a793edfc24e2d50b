import { expect, it } from 'vitest'
import { overviewOf } from '../../../api/shares/overview.ts'
import { tilePoints } from '../../../src/media/sound/waveform-tiles.ts'

/** Tiles of sound whose loudness at each point is what `loudnessAt` says of its second. */
function tilesOf(loudnessAt: (seconds: number) => number) {
  const asked: string[] = []
  const tile = async ({ level, tile: index }: { level: number; tile: number }) => {
    asked.push(`${level}/${index}`)
    const bytes = Buffer.alloc(2 * tilePoints)
    for (let point = 0; point < tilePoints; point += 1) {
      const loudness = loudnessAt(((index * tilePoints + point) * 4 ** level) / 1000)
      bytes[point] = loudness
      bytes[tilePoints + point] = Math.floor(loudness / 2)
    }
    return bytes
  }
  return { asked, tile }
}

const bytes = (text: string) => [...Buffer.from(text, 'base64')]

it('a waveform of a cut shows its ranges one after another, and nothing of what it leaves out', async () => {
  const { tile } = tilesOf((seconds) => (seconds >= 4 && seconds < 8 ? 255 : Math.floor(seconds) * 10))
  const shown = [
    { presented: { start: 2, end: 4 }, atSeconds: 0 },
    { presented: { start: 8, end: 9 }, atSeconds: 2 },
  ]
  const { level, peaks, rms } = await overviewOf({ startMs: 0, endMs: 60_000 }, shown, tile)
  expect(level).toBe(0)
  expect(bytes(peaks)).toHaveLength(3000)
  expect([...new Set(bytes(peaks))]).toEqual([20, 30, 80])
  expect([...new Set(bytes(rms))]).toEqual([10, 15, 40])
})

it('a waveform of a whole day, and one of many short ranges in it, read few tiles from the storage', async () => {
  const day = 86_400
  const whole = tilesOf(() => 100)
  const all = { presented: { start: 0, end: day }, atSeconds: 0 }
  const { level, peaks } = await overviewOf({ startMs: 0, endMs: day * 1000 }, [all], whole.tile)
  expect(whole.asked.length).toBeLessThanOrEqual(16)
  expect(bytes(peaks)).toHaveLength(Math.ceil((day * 1000) / 4 ** level))
  expect(bytes(peaks).length).toBeLessThanOrEqual(4096)

  const scattered = tilesOf(() => 100)
  const ranges = Array.from({ length: 300 }, (_, index) => ({
    presented: { start: index * 200, end: index * 200 + 1 },
    atSeconds: index,
  }))
  const cut = await overviewOf({ startMs: 0, endMs: day * 1000 }, ranges, scattered.tile)
  expect(scattered.asked.filter((tile) => /^[0-3]/.test(tile))).toEqual([])
  expect(bytes(cut.peaks).length).toBeGreaterThan(1000)
  expect([...new Set(bytes(cut.peaks))]).toEqual([100])
})

it('a waveform of a day of which a second was measured has as many points as others', async () => {
  const { tile } = tilesOf(() => 100)
  const day = [{ presented: { start: 0, end: 86_400 }, atSeconds: 0 }]
  const { level, peaks } = await overviewOf({ startMs: 0, endMs: 1000 }, day, tile)
  expect(bytes(peaks)).toHaveLength(Math.ceil(86_400_000 / 4 ** level))
  expect(bytes(peaks).length).toBeLessThanOrEqual(4096)
  expect(bytes(peaks)[0]).toBe(100)
})

it('sound that was not measured is shown as silent', async () => {
  const { tile } = tilesOf(() => 100)
  const whole = [{ presented: { start: 0, end: 4 }, atSeconds: 0 }]
  const { peaks } = await overviewOf({ startMs: 1000, endMs: 3000 }, whole, tile)
  const found = bytes(peaks)
  expect([found[500], found[2000]]).toEqual([0, 100])
})
