import { clock } from '../components/format.ts'
import { drawTimeline, readColors, rulerHeight, type Track } from '../studio/draw-timeline.ts'
import type { Edge } from '../studio/edits.ts'
import { clamp, type Span, spanAt } from '../studio/spans.ts'
import { createTiles, type Tile } from '../studio/tiles.ts'
import { fitView, panView, toTime, toX, type View, zoomView } from '../studio/view.ts'

interface Options {
  readonly durationSeconds: number
  readonly tracks: readonly Track[]
  readonly waveform:
    | { readonly levels: readonly { level: number; tiles: number }[]; readonly read: ReadTile }
    | undefined
  readonly onClip: (clip: Span) => void
  readonly onSeek: (time: number) => void
}

type ReadTile = (level: number, tile: number) => Promise<Tile>

export interface ClipTimeline {
  /** Selects the clip, and shows all of it. */
  readonly select: (clip: Span) => void
  /** Undefined: nothing that it shows plays. */
  readonly setPlayhead: (time: number | undefined) => void
  readonly recolor: () => void
}

interface Elements {
  readonly place: HTMLElement
  readonly canvas: HTMLCanvasElement
  readonly handles: Readonly<Record<Edge, HTMLElement>>
}

const edges = ['start', 'end'] as const
const leastSeconds = 0.02
const stepSeconds = 0.01
/** A frame of most films. */
const frameSeconds = 1 / 25
const dragPixels = 4

/** The timeline of the studio with one clip, whose edges are moved with a pointer or with the arrow keys. */
export function createClipTimeline({ place, canvas, handles }: Elements, options: Options): ClipTimeline {
  const { durationSeconds, tracks, waveform, onClip, onSeek } = options
  const whole = { start: 0, end: durationSeconds }
  let view: View = whole
  let clip: Span = whole
  let playhead: number | undefined = 0
  let isAsked = false
  const found = canvas.getContext('2d', { alpha: false })
  if (!found) throw new Error('This browser draws nothing.')
  const pen = found
  let colors = readColors(canvas, pen)

  function draw(): void {
    isAsked = false
    const { clientWidth: width, clientHeight: height } = canvas
    const ratio = window.devicePixelRatio
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    pen.setTransform(ratio, 0, 0, ratio, 0, 0)
    const drawing = { view, durationSeconds, tiles, tracks, cuts: [], selected: undefined, marked: clip, playhead }
    drawTimeline(pen, { ...drawing, thresholdDb: undefined, draft: undefined }, colors, width, height)
    for (const edge of edges) {
      const handle = handles[edge]
      handle.style.left = `${toX(clip[edge], view, width)}px`
      handle.hidden = clip[edge] < view.start || clip[edge] > view.end
    }
  }
  function paint(): void {
    if (!isAsked) requestAnimationFrame(draw)
    isAsked = true
  }
  const tiles = waveform && createTiles({ levels: waveform.levels, read: waveform.read, onArrive: paint })

  const reachOf = (edge: Edge): Span =>
    edge === 'start'
      ? { start: 0, end: clip.end - leastSeconds }
      : { start: clip.start + leastSeconds, end: durationSeconds }
  function setClip(next: Span): void {
    clip = { start: toMillisecond(next.start), end: toMillisecond(next.end) }
    for (const edge of edges) {
      const { start, end } = reachOf(edge)
      handles[edge].setAttribute('aria-valuemin', String(start))
      handles[edge].setAttribute('aria-valuemax', String(end))
      handles[edge].setAttribute('aria-valuenow', String(clip[edge]))
      handles[edge].setAttribute('aria-valuetext', clock(clip[edge], 2))
    }
    onClip(clip)
    paint()
  }
  const moveEdge = (edge: Edge, to: number) => setClip({ ...clip, [edge]: clamp(to, reachOf(edge)) })

  for (const edge of edges) {
    const handle = handles[edge]
    let grip: { x: number; time: number } | undefined
    handle.addEventListener('keydown', (event) => {
      const step = event.shiftKey ? frameSeconds : stepSeconds
      const steps: Readonly<Record<string, number>> = {
        ArrowLeft: -step,
        ArrowDown: -step,
        ArrowRight: step,
        ArrowUp: step,
      }
      const by = steps[event.key]
      if (by === undefined) return
      event.preventDefault()
      moveEdge(edge, clip[edge] + by)
    })
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId)
      grip = { x: event.clientX, time: clip[edge] }
    })
    handle.addEventListener('pointermove', ({ clientX }) => {
      if (!grip) return
      moveEdge(edge, grip.time + ((clientX - grip.x) / canvas.clientWidth) * (view.end - view.start))
    })
    for (const end of ['pointerup', 'pointercancel'] as const)
      handle.addEventListener(end, () => {
        grip = undefined
      })
  }

  let begin: { x: number; time: number } | undefined
  const timeOf = ({ offsetX }: PointerEvent) => clamp(toTime(offsetX, view, canvas.clientWidth), whole)
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    begin = { x: event.clientX, time: timeOf(event) }
  })
  canvas.addEventListener('pointermove', (event) => {
    if (!begin || Math.abs(event.clientX - begin.x) <= dragPixels) return
    const time = timeOf(event)
    const [start, end] = [Math.min(begin.time, time), Math.max(begin.time, time)]
    if (end - start >= leastSeconds) setClip({ start, end })
  })
  canvas.addEventListener('pointerup', (event) => {
    const from = begin
    begin = undefined
    if (!from || Math.abs(event.clientX - from.x) > dragPixels) return
    onSeek(from.time)
    const hit = event.offsetY < rulerHeight ? undefined : hitAt(from.time)
    if (hit) setClip(hit)
  })
  // The system takes the pointer for itself, such as to scroll.
  canvas.addEventListener('pointercancel', () => {
    begin = undefined
  })
  const hitAt = (time: number) => tracks.map(({ spans }) => spanAt(spans, time)).find((span) => span !== undefined)

  canvas.addEventListener(
    'wheel',
    (event) => {
      // A plain wheel scrolls the chat.
      const isZoom = event.ctrlKey || event.metaKey
      if (!isZoom && event.deltaX === 0) return
      event.preventDefault()
      const at = toTime(event.offsetX, view, canvas.clientWidth)
      view = isZoom
        ? zoomView(view, Math.exp(event.deltaY * 0.01), at, durationSeconds)
        : panView(view, (event.deltaX / canvas.clientWidth) * (view.end - view.start), durationSeconds)
      paint()
    },
    { passive: false },
  )
  new ResizeObserver(paint).observe(place)

  return {
    select: (next) => {
      const isInView = next.start >= view.start && next.end <= view.end
      if (!isInView) view = fitView({ start: next.start - 1, end: next.end + 1 }, durationSeconds)
      setClip(next)
    },
    setPlayhead: (time) => {
      playhead = time
      paint()
    },
    recolor: () => {
      colors = readColors(canvas, pen)
      paint()
    },
  }
}

function toMillisecond(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
