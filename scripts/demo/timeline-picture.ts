import type { Segment } from '../../src/core/segments.ts'
import { formatTimeCode } from '../../src/core/time-code.ts'

export interface TimelineRow {
  readonly label: string
  readonly mark: string
  readonly segments: readonly Segment[]
}

export interface TimelinePicture {
  readonly mediaSeconds: number
  /** RMS levels in dBFS, evenly spaced over the media. */
  readonly levelsDb: readonly number[]
  readonly rows: readonly TimelineRow[]
}

const bars = ' ▁▂▃▄▅▆▇█'
const floorDb = -50
const fullDb = -8
const labelWidth = 10

/** Draws the media as lines of text: a waveform, then one row for each kind of segment. */
export function drawTimeline({ mediaSeconds, levelsDb, rows }: TimelinePicture, columns = 72): string {
  const secondsPerColumn = mediaSeconds / columns
  const line = (label: string, draw: (span: Segment, column: number) => string) =>
    label.padEnd(labelWidth) +
    Array.from({ length: columns }, (_, column) =>
      draw({ start: column * secondsPerColumn, end: (column + 1) * secondsPerColumn }, column),
    ).join('')

  const waveform = line('level', (_, column) => barFor(meanIn(levelsDb, column / columns, (column + 1) / columns)))
  const marked = rows.map(({ label, mark, segments }) =>
    line(label, (span) => (segments.some(({ start, end }) => start < span.end && end > span.start) ? mark : '·')),
  )
  const end = formatTimeCode(mediaSeconds)
  const clock = ' '.repeat(labelWidth) + '00:00:00.000'.padEnd(columns - end.length) + end
  return [waveform.trimEnd(), ...marked, clock].join('\n')
}

function meanIn(levels: readonly number[], from: number, to: number): number {
  const first = Math.floor(from * levels.length)
  const part = levels.slice(first, Math.max(first + 1, Math.floor(to * levels.length)))
  return part.reduce((sum, level) => sum + Math.max(level, floorDb), 0) / part.length
}

function barFor(levelDb: number): string {
  const share = Math.min(Math.max((levelDb - floorDb) / (fullDb - floorDb), 0), 1)
  return bars.charAt(Math.round(share * (bars.length - 1)))
}
