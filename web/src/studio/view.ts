import { clamp, firstAfter, type Span } from './spans.ts'

/** What a timeline shows: the stretch from its left edge to its right one, in seconds. Never a scroll width, which browsers limit. */
export type View = Span

/** Below this, the points of the waveform are bars. */
const shortestViewSeconds = 0.25

/** The view, moved and shortened until it fits into the media. */
export function fitView({ start, end }: View, durationSeconds: number): View {
  const length = Math.max(Math.min(shortestViewSeconds, durationSeconds), Math.min(end - start, durationSeconds))
  const from = clamp(start, { start: 0, end: durationSeconds - length })
  return { start: from, end: from + length }
}

/** Shows `factor` times as much, with the same time at the same place. */
export function zoomView(view: View, factor: number, at: number, durationSeconds: number): View {
  const length = clamp((view.end - view.start) * factor, {
    start: Math.min(shortestViewSeconds, durationSeconds),
    end: durationSeconds,
  })
  const share = (at - view.start) / (view.end - view.start)
  const start = at - share * length
  return fitView({ start, end: start + length }, durationSeconds)
}

export function panView(view: View, seconds: number, durationSeconds: number): View {
  return fitView({ start: view.start + seconds, end: view.end + seconds }, durationSeconds)
}

/** The view moved as little as needed to show the time, with some of what follows. */
export function revealTime(view: View, time: number, durationSeconds: number): View {
  if (time >= view.start && time <= view.end) return view
  const length = view.end - view.start
  return fitView({ start: time - length * 0.1, end: time + length * 0.9 }, durationSeconds)
}

export function toX(time: number, { start, end }: View, width: number): number {
  return ((time - start) / (end - start)) * width
}

export function toTime(x: number, { start, end }: View, width: number): number {
  return start + (x / width) * (end - start)
}

/** How much of each pixel of the view normalized spans cover, from 0 to 1. */
export function sharesOf(spans: readonly Span[], view: View, width: number): Float32Array {
  const shares = new Float32Array(Math.ceil(width))
  for (let index = firstAfter(spans, view.start); index < spans.length; index++) {
    const span = spans[index]
    if (!span || span.start >= view.end) break
    const left = Math.max(0, toX(span.start, view, width))
    const right = Math.min(shares.length, toX(span.end, view, width))
    const last = Math.ceil(right) - 1
    for (let x = Math.floor(left); x <= last; x++)
      shares[x] = (shares[x] ?? 0) + Math.min(right, x + 1) - Math.max(left, x)
  }
  return shares
}

const steps = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
  ...[1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400],
]

export interface Ruler {
  readonly stepSeconds: number
  readonly decimals: number
  readonly times: readonly number[]
}

/** The marks of a ruler, at least so many pixels apart. */
export function rulerOf(view: View, width: number, leastPixels = 84): Ruler {
  const length = view.end - view.start
  const stepSeconds = steps.find((step) => (step / length) * width >= leastPixels) ?? 28_800
  const first = Math.ceil(view.start / stepSeconds - 1e-9)
  const count = Math.max(0, Math.floor((view.end - first * stepSeconds) / stepSeconds + 1e-9) + 1)
  const decimals = decimalsOf(stepSeconds)
  return { stepSeconds, decimals, times: Array.from({ length: count }, (_, index) => (first + index) * stepSeconds) }
}

/** The nearest start or end of the spans, if it is at most so far away. */
export function snap(time: number, spans: readonly Span[], withinSeconds: number): number {
  let nearest = Number.POSITIVE_INFINITY
  for (const { start, end } of spans) {
    if (Math.abs(start - time) < Math.abs(nearest - time)) nearest = start
    if (Math.abs(end - time) < Math.abs(nearest - time)) nearest = end
  }
  return Math.abs(nearest - time) <= withinSeconds ? nearest : time
}

function decimalsOf(stepSeconds: number): number {
  return Math.max(0, Math.ceil(-Math.log10(stepSeconds) - 1e-9))
}
