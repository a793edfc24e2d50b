import type { FrameGrid, PlacedRange } from './snap-ranges.ts'

/**
 * Groups consecutive ranges into pieces of about `pieceSeconds`, which are rendered separately and joined by stream copy.
 * Longer ranges are split at a frame, and every piece contains a frame.
 */
export function videoPieces(ranges: readonly PlacedRange[], grid: FrameGrid, pieceSeconds: number): PlacedRange[][] {
  const pieceTicks = Math.round(pieceSeconds / grid.secondsPerTick)
  const pieces: PlacedRange[][] = []
  let [room, hasFrames] = [0, true]
  for (const range of ranges.flatMap((each) => splitRange(each, grid, pieceTicks))) {
    const length = range.endTick - range.startTick
    const current = pieces.at(-1)
    const fits = length <= room || !hasFrames || range.frames === 0
    if (current && fits) current.push(range)
    else pieces.push([range])
    hasFrames = range.frames > 0 || (fits && current !== undefined && hasFrames)
    room = (current && fits ? room : pieceTicks) - length
  }
  return pieces
}

function splitRange(range: PlacedRange, grid: FrameGrid, pieceTicks: number): PlacedRange[] {
  const { startTick, endTick, atTick } = range
  // A short remainder does not become a piece.
  if (endTick - startTick < pieceTicks * 1.5) return [range]
  const within = grid.frameTicks.filter((tick) => tick >= startTick && tick < endTick)
  const cut = within.find((tick) => tick >= startTick + pieceTicks)
  if (cut === undefined) return [range]
  const before = within.filter((tick) => tick < cut).length
  const held = range.frames - within.length
  const left = { ...range, endTick: cut, frames: before + held }
  const right = {
    ...range,
    startTick: cut,
    atTick: atTick + cut - startTick,
    firstFrameTick: cut,
    frames: within.length - before,
  }
  return [left, ...splitRange(right, grid, pieceTicks)]
}
