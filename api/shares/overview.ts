import type { ShownRange } from '../../src/core/captions.ts'
import { isFine, levelsOf, pointMilliseconds, tilePoints } from '../../src/media/sound/waveform-tiles.ts'

/** The sound that the tiles are of, in milliseconds of the media. */
interface Measured {
  readonly startMs: number
  readonly endMs: number
}

/** As many as a wide screen has pixels. */
const maxPoints = 4 * tilePoints
/** Tiles of fine levels are read from the storage, the others are in memory. */
const maxFineTiles = 16
const maxCoarseTiles = 512

export interface WaveformOverview {
  /** A point of level L is 4^L milliseconds. */
  readonly level: number
  /** A byte for each point, in base64: 0 to 255 for -90 to 0 dBFS. */
  readonly peaks: string
  readonly rms: string
}

/** The waveform of a file that shows stretches of measured sound one after another: nothing of what it leaves out. */
export async function overviewOf(
  { startMs, endMs }: Measured,
  shown: readonly ShownRange[],
  tile: (at: { readonly level: number; readonly tile: number }) => Promise<Buffer>,
): Promise<WaveformOverview> {
  const ranges = shown.map(({ presented, atSeconds }) => ({
    fromMs: presented.start * 1000 - startMs,
    atMs: atSeconds * 1000,
    lengthMs: (presented.end - presented.start) * 1000,
  }))
  const totalMs = Math.max(...ranges.map(({ atMs, lengthMs }) => atMs + lengthMs))
  const levels = levelsOf({ startMs, endMs })
  const last = levels.length - 1
  const tilesAt = (level: number) => {
    const tileMs = tilePoints * pointMilliseconds(level)
    const needed = new Set<number>()
    for (const { fromMs, lengthMs } of ranges) {
      const end = Math.min(endMs - startMs, fromMs + lengthMs)
      for (let at = Math.max(0, Math.floor(fromMs / tileMs)); at * tileMs < end; at += 1) needed.add(at)
    }
    return needed
  }
  const isFit = ({ level }: { readonly level: number }) =>
    totalMs / pointMilliseconds(level) <= maxPoints &&
    tilesAt(level).size <= (isFine(level) ? maxFineTiles : maxCoarseTiles)
  let level = levels.find(isFit)?.level ?? last
  // The media can be much longer than what was measured of it.
  while (totalMs / pointMilliseconds(level) > maxPoints) level += 1
  const tiles = new Map<number, Buffer>()
  for (const index of tilesAt(level)) tiles.set(index, await tile({ level, tile: index }))

  const ms = pointMilliseconds(level)
  const peaks = Buffer.alloc(Math.ceil(totalMs / ms))
  const rms = Buffer.alloc(peaks.length)
  for (const { fromMs, atMs, lengthMs } of ranges) {
    const end = Math.min(peaks.length, Math.ceil((atMs + lengthMs) / ms))
    for (let point = Math.floor(atMs / ms); point < end; point += 1) {
      const measured = Math.floor((fromMs + Math.max(0, point * ms - atMs)) / ms)
      const found = tiles.get(Math.floor(measured / tilePoints))
      const place = measured % tilePoints
      peaks[point] = Math.max(peaks[point] ?? 0, found?.[place] ?? 0)
      rms[point] = Math.max(rms[point] ?? 0, found?.[tilePoints + place] ?? 0)
    }
  }
  return { level, peaks: peaks.toString('base64'), rms: rms.toString('base64') }
}
