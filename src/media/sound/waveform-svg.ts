import { clampTo, normalize, type Segment } from '../../core/segments.ts'
import { escapeMarkup } from '../../core/text.ts'
import { highestPeak, indexPeaks } from './energy.ts'
import { type Envelope, fullScale, labelTime, ticksIn } from './envelope.ts'

export interface WaveformPicture {
  readonly tracks: readonly Envelope[]
  /** In seconds; spans the whole width. */
  readonly window: Segment
  /** Shaded. */
  readonly segments: readonly Segment[]
  /** Levels to mark, linear, 0 to 1. */
  readonly levels: readonly number[]
  /** One line under the picture. */
  readonly caption: string
}

const width = 1200
const barStep = 3
const top = 14
const middle = 94
const half = 76
const bottom = 2 * middle - top
const height = 232
const labelRoom = 26

const style = [
  'text{font:12px system-ui,sans-serif;fill:#5b6675}',
  '.back{fill:#fff}.found{fill:#dbeafe}.tick{stroke:#cbd5e1}.level{stroke:#d97706;stroke-dasharray:3 5;opacity:.8}',
  '.in,.out{fill:none;stroke-width:2;stroke-linecap:round}.in{stroke:#2563eb}.out{stroke:#aab4c2}',
  '@media(prefers-color-scheme:dark){text{fill:#9aa7b8}.back{fill:#0f172a}.found{fill:#1e3a6e}.tick{stroke:#3a4d70}',
  '.in{stroke:#7cb0ff}.out{stroke:#55637a}}',
].join('')

/** An SVG of at most some tens of kilobytes, however many segments there are. It has no script and no references. */
export async function drawWaveform({ tracks, window, segments, levels, caption }: WaveformPicture): Promise<string> {
  for (const track of tracks) await indexPeaks(track)
  const scale = width / (window.end - window.start)
  const found = shadedStretches(segments, window, scale)
  const bars = Array.from(waveformOf(tracks, window, width / barStep), (peak, column) => {
    const x = column * barStep
    const y = toHeight(peak)
    // The peak can be anywhere in the bar, so a bar that is partly in a segment is drawn as in it.
    const isFound = found.some(({ start, end }) => start < x + barStep && end > x)
    return { isFound, path: `M${x + 1} ${middle - y}v${2 * y}` }
  })
  const barsWhere = (isFound: boolean) =>
    bars
      .filter((bar) => bar.isFound === isFound)
      .map(({ path }) => path)
      .join('')
  const lines = levels.flatMap((level) => [middle - toHeight(level), middle + toHeight(level)])
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeMarkup(caption)}</title><style>${style}</style>`,
    `<rect class="back" width="${width}" height="${height}" rx="8"/>`,
    `<path class="found" d="${found.map(({ start, end }) => `M${start} ${top}H${end}V${bottom}H${start}z`).join('')}"/>`,
    ...ticksIn(window).map((seconds) => drawTick(seconds, (seconds - window.start) * scale)),
    `<path class="out" d="${barsWhere(false)}"/><path class="in" d="${barsWhere(true)}"/>`,
    `<path class="level" d="${lines.map((y) => `M0 ${y}H${width}`).join('')}"/>`,
    `<text x="12" y="${height - 12}">${escapeMarkup(caption)}</text></svg>`,
  ].join('')
}

/** Highest sample of any track in each of `columns` equal parts of the window, 0 to 1. */
export function waveformOf(tracks: readonly Envelope[], window: Segment, columns: number): Float64Array {
  const length = (window.end - window.start) / columns
  return Float64Array.from({ length: columns }, (_, column) => {
    const from = window.start + column * length
    return Math.max(0, ...tracks.map((track) => highestIn(track, from, from + length)))
  })
}

function highestIn(envelope: Envelope, start: number, end: number): number {
  const first = Math.max(0, Math.floor(start * 1000) - envelope.startMs)
  const last = Math.max(first + 1, Math.ceil(end * 1000) - envelope.startMs)
  return highestPeak(envelope, first, last) / fullScale
}

/** Half the height of a level's bar. The square root keeps quiet parts visible beside loud ones. */
function toHeight(amplitude: number): number {
  return Math.max(0.5, Math.round(Math.sqrt(amplitude) * half * 10) / 10)
}

/** In whole units of the picture, so that many short segments merge into at most its width. */
function shadedStretches(segments: readonly Segment[], window: Segment, scale: number): Segment[] {
  return normalize(
    clampTo(segments, window).map(({ start, end }) => {
      const first = Math.floor((start - window.start) * scale)
      return { start: first, end: Math.max(first + 1, Math.round((end - window.start) * scale)) }
    }),
  )
}

function drawTick(seconds: number, at: number): string {
  const x = Math.round(at * 10) / 10
  // Keeps the first and the last label inside the picture.
  const labelX = Math.min(Math.max(x, labelRoom), width - labelRoom)
  const label = `<text x="${labelX}" y="${bottom + 20}" text-anchor="middle">`
  return `<path class="tick" d="M${x} ${top}V${bottom + 4}"/>${label}${labelTime(seconds)}</text>`
}
