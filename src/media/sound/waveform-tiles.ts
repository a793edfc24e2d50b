import type { Readable } from 'node:stream'
import { toDbfs } from '../../core/media.ts'
import { cellMs, envelopeHeaderBytes, fullScale, peakBytes, type Stretch, squareBytes } from './envelope.ts'

/** Points of a tile. A tile is their peaks, then their RMS, a byte each. */
export const tilePoints = 1024

/** A point of level L is 4^L milliseconds. */
export function pointMilliseconds(level: number): number {
  return 4 ** level
}

/** Finer levels are read from the stored envelope: a tile of the finest of the others would be a quarter of a megabyte of it. */
const coarseLevel = 4
const coarseMs = pointMilliseconds(coarseLevel)

/** The levels of a stretch: in the last one, one tile has all of it. */
export function levelsOf({ startMs, endMs }: Stretch) {
  const ms = endMs - startMs
  const count = Math.max(0, Math.ceil(Math.log(ms / tilePoints) / Math.log(4) - 1e-9)) + 1
  return Array.from({ length: count }, (_, level) => ({
    level,
    ms_per_point: pointMilliseconds(level),
    tiles: Math.ceil(ms / (tilePoints * pointMilliseconds(level))),
  }))
}

/** What a stored envelope has for the points of coarse levels: 1 MB for 12 hours. */
export interface CoarseWaveform {
  /** Of each point of `coarseLevel`: its highest absolute sample, and the mean of its squared samples. */
  readonly peaks: Uint16Array
  readonly squares: Float32Array
}

interface StoredEnvelope extends Stretch {
  readonly sampleRate: number
  /** Reads the bytes from `start` to `end`, inclusive, of the envelope's file. */
  readonly read: (start?: number, end?: number) => Promise<Readable>
}

/** Reads the whole file of an envelope once, and keeps little of it. */
export async function readCoarseWaveform({
  startMs,
  endMs,
  sampleRate,
  read,
}: StoredEnvelope): Promise<CoarseWaveform> {
  const milliseconds = endMs - startMs
  const peaks = new Uint16Array(Math.ceil(milliseconds / coarseMs))
  const squares = new Float32Array(peaks.length)
  const addPeak = (index: number, peak: number) => {
    const point = Math.floor(index / coarseMs)
    if (peak > (peaks[point] ?? 0)) peaks[point] = peak
  }
  const addSquare = (cell: number, square: number) => {
    const point = Math.floor((cell * cellMs) / coarseMs)
    squares[point] = (squares[point] ?? 0) + square
  }
  const squaresAt = envelopeHeaderBytes + milliseconds * peakBytes
  let at = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of await read()) {
    const bytes = Buffer.concat([rest, chunk])
    let used = Math.min(bytes.length, Math.max(0, envelopeHeaderBytes - at))
    for (; used + peakBytes <= bytes.length && at + used < squaresAt; used += peakBytes)
      addPeak((at + used - envelopeHeaderBytes) / peakBytes, bytes.readUInt16LE(used))
    for (; used + squareBytes <= bytes.length && at + used >= squaresAt; used += squareBytes)
      addSquare((at + used - squaresAt) / squareBytes, bytes.readFloatLE(used))
    rest = bytes.subarray(used)
    at += used
  }
  return { peaks, squares: squares.map((sum, point) => sum / framesOf(cellsOf(point, milliseconds), sampleRate)) }
}

/** How many cells begin in a point, at least one. */
function cellsOf(point: number, milliseconds: number): number {
  const [from, to] = [point * coarseMs, Math.min(milliseconds, (point + 1) * coarseMs)]
  return Math.max(1, Math.ceil(to / cellMs) - Math.ceil(from / cellMs))
}

/** A tile of a coarse level. */
export function coarseTile({ peaks, squares }: CoarseWaveform, level: number, tile: number): Buffer {
  const step = 4 ** (level - coarseLevel)
  return drawTile((point) => {
    const from = (tile * tilePoints + point) * step
    const to = Math.min(peaks.length, from + step)
    let [peak, sum] = [0, 0]
    for (let at = from; at < to; at += 1) {
      peak = Math.max(peak, peaks[at] ?? 0)
      sum += squares[at] ?? 0
    }
    return { peak, square: sum / Math.max(1, to - from) }
  })
}

/** Whether tiles of the level are drawn from the stored envelope. */
export function isFine(level: number): boolean {
  return level < coarseLevel
}

/** A tile of a fine level, of the part of the file that it shows. */
export async function fineTile(stored: StoredEnvelope, level: number, tile: number): Promise<Buffer> {
  const { startMs, endMs, sampleRate, read } = stored
  const milliseconds = endMs - startMs
  const step = pointMilliseconds(level)
  const from = tile * tilePoints * step
  const to = Math.min(milliseconds, from + tilePoints * step)
  if (to <= from) return drawTile(() => ({ peak: 0, square: 0 }))
  const [fromCell, toCell] = [Math.floor(from / cellMs), Math.ceil(to / cellMs)]
  const [peaksAt, squaresAt] = [envelopeHeaderBytes, envelopeHeaderBytes + milliseconds * peakBytes]
  const part = async (offset: number, first: number, end: number, bytes: number) =>
    Buffer.concat(await (await read(offset + first * bytes, offset + end * bytes - 1)).toArray())
  const peaks = await part(peaksAt, from, to, peakBytes)
  const squares = await part(squaresAt, fromCell, toCell, squareBytes)
  return drawTile((point) => {
    const [first, end] = [point * step, Math.min(to - from, (point + 1) * step)]
    let peak = 0
    for (let at = first; at < end; at += 1) peak = Math.max(peak, peaks.readUInt16LE(at * peakBytes))
    // A cell is longer than a point of the finest levels, which then show the loudness around it.
    const cell = Math.floor((from + first) / cellMs) - fromCell
    const count = Math.max(1, Math.floor((from + end) / cellMs) - fromCell - cell)
    let sum = 0
    for (let at = cell; end > first && at < cell + count; at += 1) sum += squares.readFloatLE(at * squareBytes)
    return { peak, square: sum / framesOf(count, sampleRate) }
  })
}

function framesOf(cells: number, sampleRate: number): number {
  return (cells * cellMs * sampleRate) / 1000
}

function drawTile(pointAt: (point: number) => { readonly peak: number; readonly square: number }): Buffer {
  const tile = Buffer.alloc(2 * tilePoints)
  for (let point = 0; point < tilePoints; point += 1) {
    const { peak, square } = pointAt(point)
    tile[point] = levelByte(peak / fullScale)
    tile[tilePoints + point] = levelByte(Math.sqrt(square) / fullScale)
  }
  return tile
}

const quietestDb = -90

/** 0 to 255 for -90 to 0 dBFS, so that thresholds fall on the scale. */
function levelByte(amplitude: number): number {
  const db = Math.min(0, Math.max(quietestDb, toDbfs(amplitude)))
  return Math.round(((db - quietestDb) / -quietestDb) * 255)
}
