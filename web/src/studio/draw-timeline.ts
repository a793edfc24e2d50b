import { clock } from '../components/format.ts'
import type { Span } from './spans.ts'
import { heightOf, type Loudness, levelFor, levelInDb, loudestIn, type Tiles } from './tiles.ts'
import { rulerOf, sharesOf, toX, type View } from './view.ts'

/** Heights in CSS pixels, from the top: ruler, waveform, then a row for each track. */
export const rulerHeight = 24
export const trackHeight = 26

export interface Track {
  readonly name: string
  readonly color: 'silence' | 'words'
  readonly spans: readonly Span[]
}

export interface Drawing {
  readonly view: View
  readonly durationSeconds: number
  readonly tiles: Tiles | undefined
  readonly tracks: readonly Track[]
  readonly cuts: readonly Span[]
  readonly selected: Span | undefined
  readonly marked: Span | undefined
  readonly thresholdDb: number | undefined
  /** While a slider moves: pauses are guessed from what is drawn. */
  readonly draft: { readonly thresholdDb: number; readonly minSeconds: number } | undefined
  /** Undefined while what plays is not what is drawn. */
  readonly playhead: number | undefined
}

export interface Colors {
  readonly surface: string
  readonly quiet: string
  readonly line: string
  readonly wave: string
  readonly loud: string
  readonly silence: string
  readonly words: string
  readonly accent: string
  readonly playhead: string
  /** Covers what goes. */
  readonly hatching: CanvasPattern | string
}

type Context = CanvasRenderingContext2D

/** The colors of the page, as they are now. */
export function readColors(element: HTMLElement, context: Context): Colors {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--color-${name}`).trim()
  return {
    surface: color('timeline'),
    quiet: color('quiet'),
    line: color('line'),
    wave: color('wave'),
    loud: color('wave-loud'),
    silence: color('silence'),
    words: color('words'),
    accent: color('accent'),
    playhead: color('playhead'),
    hatching: hatchingOf(context, color('silence')),
  }
}

export function drawTimeline(context: Context, drawing: Drawing, colors: Colors, width: number, height: number): void {
  const waveHeight = Math.max(40, height - rulerHeight - drawing.tracks.length * trackHeight)
  const wave = { top: rulerHeight, height: waveHeight }
  context.fillStyle = colors.surface
  context.fillRect(0, 0, width, height)
  drawRuler(context, drawing, colors, width, height)
  const loudness = drawWave(context, drawing, colors, { ...wave, width })
  drawThreshold(context, drawing, colors, { ...wave, width })
  for (const [row, track] of drawing.tracks.entries()) {
    const top = rulerHeight + waveHeight + row * trackHeight
    context.fillStyle = colors.line
    context.fillRect(0, top, width, 1)
    context.fillStyle = colors[track.color]
    const isGuessed = drawing.draft !== undefined && track.color === 'silence'
    const spans = isGuessed ? guessPauses(loudness, drawing, width) : track.spans
    fillSpans(context, spans, drawing.view, { width, top: top + 5, height: trackHeight - 9 })
  }
  drawCuts(context, drawing, colors, { ...wave, width })
  drawMarks(context, drawing, colors, { top: rulerHeight, height: height - rulerHeight, width })
  if (drawing.playhead === undefined) return
  const x = toX(drawing.playhead, drawing.view, width)
  context.fillStyle = colors.playhead
  context.fillRect(Math.round(x) - 0.5, 0, 1.5, height)
}

interface Box {
  readonly top: number
  readonly height: number
  readonly width: number
}

function drawRuler(context: Context, { view }: Drawing, colors: Colors, width: number, height: number): void {
  const { times, decimals } = rulerOf(view, width)
  context.font = '11px system-ui, sans-serif'
  context.textBaseline = 'middle'
  for (const time of times) {
    const x = Math.round(toX(time, view, width))
    context.fillStyle = colors.line
    context.fillRect(x, 0, 1, height)
    context.fillStyle = colors.quiet
    context.fillText(clock(time, decimals), x + 4, rulerHeight / 2)
  }
}

/** Draws peaks, and the RMS inside of them. Returns the loudness of each pixel, -1 where none has arrived. */
function drawWave(context: Context, drawing: Drawing, colors: Colors, { top, height, width }: Box): Int32Array {
  const found = new Int32Array(Math.ceil(width)).fill(-1)
  const { view, tiles, durationSeconds } = drawing
  if (!tiles) return found
  const secondsPerPixel = (view.end - view.start) / width
  const level = levelFor(secondsPerPixel, tiles.levels)
  askForTiles(tiles, level, view)
  for (let x = 0; x < found.length; x++) {
    const from = view.start + x * secondsPerPixel
    found[x] = loudestIn(tiles, level, from, Math.min(from + secondsPerPixel, durationSeconds))
  }
  const middle = top + height / 2
  const half = height / 2 - 4
  // In the path of the canvas: browsers keep one of its own, of thousands of points a drawing, until they collect garbage.
  const fillBars = (color: string, halfOf: (loudness: Loudness) => number) => {
    context.fillStyle = color
    context.beginPath()
    found.forEach((loudness, x) => {
      if (loudness >= 0) context.rect(x, middle - halfOf(loudness), 1, halfOf(loudness) * 2)
    })
    context.fill()
  }
  fillBars(colors.wave, (loudness) => Math.max(0.5, heightOf(loudness >> 8) * half))
  fillBars(colors.loud, (loudness) => heightOf(loudness & 255) * half)
  return found
}

/** The tiles of the view, and the coarsest one, which is drawn until they arrive. */
function askForTiles(tiles: Tiles, level: number, { start, end }: View): void {
  tiles.get(tiles.levels - 1, 0)
  const tileSeconds = (4 ** level * 1024) / 1000
  for (let index = Math.floor(start / tileSeconds); index * tileSeconds < end; index++) tiles.get(level, index)
}

/** Lines at the level below which sound is a pause. */
function drawThreshold(context: Context, { thresholdDb }: Drawing, colors: Colors, { top, height, width }: Box): void {
  if (thresholdDb === undefined) return
  const offset = 10 ** (thresholdDb / 20) * (height / 2 - 4)
  context.strokeStyle = colors.accent
  context.setLineDash([4, 4])
  context.beginPath()
  for (const sign of [-1, 1]) {
    const y = Math.round(top + height / 2 + sign * offset) + 0.5
    context.moveTo(0, y)
    context.lineTo(width, y)
  }
  context.stroke()
  context.setLineDash([])
}

/** The pauses in view by another threshold, from what is drawn: exact enough until the service has answered. */
function guessPauses(loudness: Int32Array, { view, draft }: Drawing, width: number): Span[] {
  if (!draft) return []
  const secondsPerPixel = (view.end - view.start) / width
  const found: Span[] = []
  let from = -1
  for (let x = 0; x <= loudness.length; x++) {
    const peak = (loudness[x] ?? -1) >> 8
    const isQuiet = x < loudness.length && peak >= 0 && levelInDb(peak) < draft.thresholdDb
    if (isQuiet && from < 0) from = x
    if (isQuiet || from < 0) continue
    const span = { start: view.start + from * secondsPerPixel, end: view.start + x * secondsPerPixel }
    if (span.end - span.start >= draft.minSeconds) found.push(span)
    from = -1
  }
  return found
}

/** Spans in view. Where they are narrower than a pixel, it is as strong as they are dense: thousands of short ones are no bar. */
function fillSpans(context: Context, spans: readonly Span[], view: View, box: Box, alpha = 1): void {
  const shares = sharesOf(spans, view, box.width)
  let from = 0
  for (let x = 1; x <= shares.length; x++) {
    const strength = strengthOf(shares[from])
    if (x < shares.length && strengthOf(shares[x]) === strength) continue
    if (strength > 0) {
      context.globalAlpha = alpha * strength
      context.fillRect(from, box.top, x - from, box.height)
    }
    from = x
  }
  context.globalAlpha = 1
}

/** In eighths, so that few bars are drawn. A lone short span is seen too. */
function strengthOf(share = 0): number {
  return share > 0.001 ? Math.max(2, Math.round(share * 8)) / 8 : 0
}

/** What goes is hatched, whatever is below. */
function drawCuts(context: Context, { cuts, view, selected }: Drawing, colors: Colors, box: Box): void {
  context.fillStyle = colors.surface
  fillSpans(context, cuts, view, box, 0.55)
  context.fillStyle = colors.hatching
  fillSpans(context, cuts, view, box)
  if (!selected) return
  context.fillStyle = colors.accent
  fillSpans(context, [selected], view, box, 0.16)
}

/** Lines of 45 degrees. */
function hatchingOf(context: Context, color: string): CanvasPattern | string {
  const tile = document.createElement('canvas')
  tile.width = 6
  tile.height = 6
  const pen = tile.getContext('2d')
  if (!pen) return color
  pen.strokeStyle = color
  pen.globalAlpha = 0.55
  pen.beginPath()
  for (const shift of [-6, 0, 6]) {
    pen.moveTo(shift, 6)
    pen.lineTo(shift + 6, 0)
  }
  pen.stroke()
  return context.createPattern(tile, 'repeat') ?? color
}

function drawMarks(context: Context, { marked, view }: Drawing, colors: Colors, { top, height, width }: Box): void {
  if (!marked) return
  const left = toX(marked.start, view, width)
  const right = toX(marked.end, view, width)
  context.save()
  context.fillStyle = colors.accent
  context.globalAlpha = 0.16
  context.fillRect(left, top, right - left, height)
  context.globalAlpha = 1
  context.fillRect(left, top, 1.5, height)
  context.fillRect(right - 1.5, top, 1.5, height)
  context.restore()
}
