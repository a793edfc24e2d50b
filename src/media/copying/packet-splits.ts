/** A place that splits packets in decoding order: all before it are shown before all behind it. */
export interface PacketSplit {
  /** The earliest time of the packets behind it. */
  readonly tick: number
  /** Of the first packet behind it. */
  readonly index: number
  /** The latest time of the packets before it; negative infinity if it is the first. */
  readonly shownTick: number
}

/** Ascending. One by one, because every frame of some films is one. */
export function* splitsOf(pts: Float64Array): Iterable<PacketSplit> {
  const least = pts.slice()
  for (let at = least.length - 2; at >= 0; at--) least[at] = Math.min(least[at] ?? 0, least[at + 1] ?? 0)
  let shownTick = Number.NEGATIVE_INFINITY
  for (const [index, tick] of least.entries()) {
    if (shownTick < tick) yield { tick, index, shownTick }
    shownTick = Math.max(shownTick, pts[index] ?? tick)
  }
}
