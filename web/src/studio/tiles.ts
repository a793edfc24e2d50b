/** A point of the finest level is a millisecond, and one of each next level four of the level before. */
export const pointsPerTile = 1024

/** 1,024 bytes of peaks, then 1,024 of RMS; 0 to 255 for -90 to 0 dBFS. */
export type Tile = Uint8Array

export interface Tiles {
  readonly levels: number
  /** The tile if it is here. If it is not, it is asked for. */
  readonly get: (level: number, index: number) => Tile | undefined
  /** The tile if it is here. */
  readonly peek: (level: number, index: number) => Tile | undefined
}

interface Options {
  readonly levels: readonly { readonly level: number; readonly tiles: number }[]
  readonly read: (level: number, index: number) => Promise<Tile>
  readonly onArrive: () => void
  /** The tile of the coarsest level, if it is here. */
  readonly coarsest?: Tile | undefined
  readonly maxKept?: number
}

/** Keeps the tiles that were drawn last. */
export function createTiles({ levels, read, onArrive, coarsest, maxKept = 400 }: Options): Tiles {
  const kept = new Map<number, Tile | 'asked'>()
  const keyOf = (level: number, index: number) => level * 2 ** 32 + index

  const peek = (level: number, index: number) => {
    const found = kept.get(keyOf(level, index))
    return found === 'asked' ? undefined : found
  }
  const get = (level: number, index: number) => {
    const key = keyOf(level, index)
    const found = kept.get(key)
    if (found === undefined) ask(level, index)
    else {
      // The oldest is first.
      kept.delete(key)
      kept.set(key, found)
    }
    return found === 'asked' ? undefined : found
  }
  function ask(level: number, index: number): void {
    if (index < 0 || index >= (levels[level]?.tiles ?? 0)) return
    const key = keyOf(level, index)
    kept.set(key, 'asked')
    read(level, index).then(
      (tile) => {
        kept.set(key, tile)
        onArrive()
      },
      // A later drawing asks again.
      () => kept.delete(key),
    )
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  }
  if (coarsest) kept.set(keyOf(levels.length - 1, 0), coarsest)
  return { levels: levels.length, get, peek }
}

/** The finest level that has at most a few points a pixel. */
export function levelFor(secondsPerPixel: number, levels: number): number {
  const level = Math.floor(Math.log(secondsPerPixel * 1000) / Math.log(4))
  return Math.min(Math.max(level, 0), levels - 1)
}

/** A peak and an RMS in one number, because a drawing asks for thousands: 256 · peak + RMS. */
export type Loudness = number

/** The loudest points from a time to another, at the wanted level or the next coarser one that is here. -1 if none is. */
export function loudestIn(tiles: Tiles, wanted: number, from: number, to: number): Loudness {
  let found = -1
  for (let level = wanted; level < tiles.levels && found < 0; level++) found = loudestAt(tiles, level, from, to)
  return found
}

function loudestAt(tiles: Tiles, level: number, from: number, to: number): Loudness {
  const step = 4 ** level / 1000
  const first = Math.floor(from / step)
  const last = Math.max(first, Math.ceil(to / step) - 1)
  let peak = 0
  let rms = 0
  for (let point = first; point <= last; point++) {
    const index = Math.floor(point / pointsPerTile)
    const tile = tiles.peek(level, index)
    if (!tile) return -1
    const at = point - index * pointsPerTile
    peak = Math.max(peak, tile[at] ?? 0)
    rms = Math.max(rms, tile[pointsPerTile + at] ?? 0)
  }
  return peak * 256 + rms
}

/** A level of 0 to 255 in dBFS. */
export function levelInDb(value: number): number {
  return (value / 255) * 90 - 90
}

/** A level of 0 to 255 as a share of the height that it is drawn with. */
export function heightOf(value: number): number {
  return heights[value] ?? 0
}

const heights = Float32Array.from({ length: 256 }, (_, value) => (value === 0 ? 0 : 10 ** (levelInDb(value) / 20)))
