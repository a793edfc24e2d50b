import type { Segment } from '../../core/segments.ts'
import type { TextLine } from '../../models/read-text/text-lines.ts'
import { framesToRead, thinOut } from './choose-frames.ts'
import { type ShownFrame, sampleSeconds } from './decode-changes.ts'
import type { Reading } from './merge-readings.ts'
import { showSameLines } from './same-text.ts'

/** Text that is shown for as long as this is found, however the picture moves. */
const usualGapSeconds = 1
/** Two hours of a picture that always moves, with readings to spare for the changes of its text. */
const maxReads = 16_000
/** Half of the readings are for finding when text changes. */
const gapsPerRead = 2
const samplesPerGap = usualGapSeconds / sampleSeconds
/** Four gaps, with both ends. They are held in memory: 1.5 MB each at 16:9. */
const batchFrames = 4 * samplesPerGap + 1

export interface TextReaderOptions {
  readonly window: Segment
  /** Reads the lines of frames that do not depend on each other. */
  readonly readAll: (frames: readonly ShownFrame[]) => Promise<TextLine[][]>
  readonly maxReads?: number
}

export interface ReadText {
  /** In the order of time. */
  readonly readings: readonly Reading[]
  readonly framesRead: number
  readonly gapSeconds: number
}

/** Two frames that are read, by their indexes. */
interface Pair {
  readonly start: number
  readonly end: number
}

/** Whether the picture changed between them. */
function hasMoved({ start, end }: Pair): boolean {
  return end - start > 1
}

async function pairsThatDiffer(pairs: readonly Pair[], lines: ReadonlyMap<number, TextLine[]>): Promise<Pair[]> {
  const different: Pair[] = []
  for (const { start, end } of pairs)
    if (!(await showSameLines(lines.get(start) ?? [], lines.get(end) ?? []))) different.push({ start, end })
  return different
}

/**
 * Reads the text of a film's changed frames with few readings: frames a second apart first, and those between two only where their text
 * differs, by halves. If the picture moves for so long that this takes too many readings, they are further apart.
 */
export function createTextReader({ window, readAll, maxReads: most = maxReads }: TextReaderOptions) {
  const readings: Reading[] = []
  let waiting: ShownFrame[] = []
  /** What the first of them shows, if it was read with the batch before. */
  let known: TextLine[] | undefined
  let framesRead = 0
  let longestGap = 0

  const gapAt = ({ seconds }: ShownFrame) =>
    Math.max(usualGapSeconds, (gapsPerRead * (window.end - seconds)) / Math.max(1, most - framesRead))

  const lengthOf = ({ start, end }: Pair) => (waiting[end]?.seconds ?? 0) - (waiting[start]?.seconds ?? 0)

  async function readAt(lines: Map<number, TextLine[]>, indexes: readonly number[]): Promise<void> {
    const frames = indexes.flatMap((index) => waiting[index] ?? [])
    framesRead += frames.length
    const found = await readAll(frames)
    for (const [at, index] of indexes.entries()) lines.set(index, found[at] ?? [])
  }

  /** Reads the frames that wait. The last one begins the next batch. */
  async function readBatch(gapSeconds: number): Promise<void> {
    const lines = new Map<number, TextLine[]>(known ? [[0, known]] : [])
    const chosen = framesToRead(waiting, gapSeconds)
    await readAt(
      lines,
      chosen.filter((index) => !lines.has(index)),
    )
    let pairs = chosen.slice(1).map((end, at) => ({ start: chosen[at] ?? 0, end }))
    longestGap = Math.max(longestGap, ...pairs.filter(hasMoved).map((pair) => Math.min(gapSeconds, lengthOf(pair))))
    while (pairs.length > 0) {
      const between = await pairsThatDiffer(pairs.filter(hasMoved), lines)
      const middles = between.map(({ start, end }) => ({ start, middle: Math.floor((start + end) / 2), end }))
      if (framesRead + middles.length > most) break
      await readAt(
        lines,
        middles.map(({ middle }) => middle),
      )
      pairs = middles.flatMap(({ start, middle, end }) => [
        { start, end: middle },
        { start: middle, end },
      ])
    }
    const read = [...lines].toSorted(([a], [b]) => a - b)
    for (const [index, found] of read) {
      const frame = waiting[index]
      if (frame && !(known && index === 0)) readings.push({ seconds: frame.seconds, lines: found })
    }
    known = read.at(-1)?.[1]
    waiting = waiting.slice(-1)
  }

  return {
    /** Takes frames in the order of time. */
    add: async (frame: ShownFrame): Promise<void> => {
      const gap = gapAt(frame)
      waiting = thinOut([...waiting, frame], gap / samplesPerGap)
      if (waiting.length < batchFrames) return
      await readBatch(gap)
    },
    /** Reads the rest. */
    end: async (): Promise<ReadText> => {
      const [first] = waiting
      if (first) await readBatch(gapAt(first))
      return { readings, framesRead, gapSeconds: Math.max(usualGapSeconds, longestGap) }
    },
  }
}
