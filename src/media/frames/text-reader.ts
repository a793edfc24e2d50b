import { z } from 'zod'
import { mapOrAbort } from '../../core/abortable.ts'
import { invalidRequest, ServiceError } from '../../core/errors.ts'
import { parseItems } from '../../core/long-json.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { box, type TextLine } from '../../models/models.ts'
import { sourceTracks } from '../inspect/tracks.ts'
import type { AnalyseInput, TrackAnalysisKind } from '../track-analyses.ts'
import { framesToRead, thinOut } from './choose-frames.ts'
import { decodeChanges, type ShownFrame, sampleSeconds } from './find-frames.ts'
import { mergeReadings, type Reading, showSameLines } from './merge-readings.ts'
import { assertShortLeads } from './sample-frames.ts'

/** Text that is shown for as long as this is found, however the picture moves. */
const usualGapSeconds = 1
/** Two hours of a picture that always moves, with readings to spare for the changes of its text. */
const maxReads = 16_000
/** They are held in memory, half a kilobyte each: a film of code that scrolls for hours has as many. */
const maxLinesRead = 600_000
/** Half of the readings are for finding when text changes. */
const gapsPerRead = 2
const samplesPerGap = usualGapSeconds / sampleSeconds
/** Four gaps, with both ends. They are held in memory: 1.5 MB each at 16:9. */
const batchFrames = 4 * samplesPerGap + 1

interface TextReaderOptions {
  readonly window: Segment
  /** Reads the lines of frames that do not depend on each other. */
  readonly readAll: (frames: readonly ShownFrame[]) => Promise<TextLine[][]>
  readonly maxReads?: number
  readonly maxLinesRead?: number
}

interface ReadText {
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
export function createTextReader({
  window,
  readAll,
  maxReads: most = maxReads,
  maxLinesRead: mostLines = maxLinesRead,
}: TextReaderOptions) {
  const readings: Reading[] = []
  let waiting: ShownFrame[] = []
  /** What the first of them shows, if it was read with the batch before. */
  let known: TextLine[] | undefined
  let framesRead = 0
  let linesRead = 0
  let longestGap = 0

  const gapAt = ({ seconds }: ShownFrame) =>
    Math.max(usualGapSeconds, (gapsPerRead * (window.end - seconds)) / Math.max(1, most - framesRead))

  const lengthOf = ({ start, end }: Pair) => (waiting[end]?.seconds ?? 0) - (waiting[start]?.seconds ?? 0)

  async function readAt(lines: Map<number, TextLine[]>, indexes: readonly number[]): Promise<void> {
    const frames = indexes.flatMap((index) => waiting[index] ?? [])
    framesRead += frames.length
    const found = await readAll(frames)
    for (const [at, index] of indexes.entries()) lines.set(index, found[at] ?? [])
    linesRead += found.flat().length
    if (linesRead > mostLines)
      throw invalidRequest('The picture shows too much text for one job. Choose a shorter window.')
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

const screenLine = z.object({
  text: z.string(),
  /** When it is shown, on the media's clock. */
  start: z.number(),
  end: z.number(),
  /** Where it was read best. */
  box,
  confidence: z.number(),
})

/** A line of text on the screen. */
export type ScreenLine = z.output<typeof screenLine>

const measures = z.object({
  /** The window. Undefined in texts that are kept from before. */
  start: z.number().optional(),
  end: z.number().optional(),
  /** The longest time between two readings while the picture moved. */
  gapSeconds: z.number(),
  framesRead: z.int(),
  /** Errors while the picture was decoded. */
  decodeErrors: z.int(),
})

/** The text on the screen as it is stored. */
export interface ScreenText extends z.output<typeof measures> {
  /** In the order of their starts. */
  readonly lines: readonly ScreenLine[]
}

/** A longer window may have been read with longer gaps than a part of it would be. */
const maxTimesLonger = 1.5

function isTooCoarse({ start = 0, end = start, gapSeconds }: ScreenText, window: Segment): boolean {
  return gapSeconds > usualGapSeconds && durationOf({ start, end }) > maxTimesLonger * durationOf(window)
}

export const screenTextKind: TrackAnalysisKind<ScreenText> = {
  name: 'screen-text',
  format: 4001,
  parse: async (stored) => {
    const { lines, ...rest } = measures.extend({ lines: z.unknown() }).parse(stored)
    return { ...rest, lines: await parseItems(screenLine, lines) }
  },
  within: (stored, window) =>
    isTooCoarse(stored, window)
      ? undefined
      : {
          ...stored,
          ...window,
          lines: stored.lines.flatMap(({ start, end, ...line }) => {
            const shown = { start: Math.max(start, window.start), end: Math.min(end, window.end) }
            return shown.start < shown.end ? [{ ...line, ...shown }] : []
          }),
        },
}

/** Measured: with 640, small text is lost, and with more, reading takes longer and finds hardly more. */
const longestSide = 960

/** Reads the text on the screen in a window, with the times when it appears and disappears. */
export async function readScreen({ window, onProgress, ...input }: AnalyseInput): Promise<ScreenText> {
  const { media, ffmpeg, models, cores, signal } = input
  const { video, ...tracks } = await sourceTracks(await media.open(), media.info.format, ffmpeg, signal)
  if (!video) throw new ServiceError('no_video_track')
  const readAll = (frames: readonly ShownFrame[]): Promise<TextLine[][]> =>
    cores.borrow(frames.length - 1, (borrowed) =>
      mapOrAbort(signal, { items: frames, concurrency: 1 + borrowed }, ({ width, height, rgb }) =>
        models.run('read-text', { width, height, rgb }),
      ),
    )
  const leads = { moments: [window.start], billedSeconds: durationOf(window) }
  await assertShortLeads({ tracks: { ...tracks, video }, video, ffmpeg, signal }, leads)
  const reader = createTextReader({ window, readAll })
  const { decodeErrors } = await decodeChanges({
    ...{ tracks: { ...tracks, video }, window, longestSide, ffmpeg, signal },
    onFrame: async (frame) => {
      await reader.add(frame)
      onProgress((frame.seconds - window.start) / durationOf(window))
    },
  })
  const { readings, framesRead, gapSeconds } = await reader.end()
  const endSeconds = Math.min(window.end, video.endSeconds)
  return { ...window, lines: await mergeReadings(readings, endSeconds), framesRead, gapSeconds, decodeErrors }
}
